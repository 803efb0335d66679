import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pytest
from test_stage import as_batch, make_row

from winnow.core.config import load_model
from winnow.core.errors import DataError
from winnow.curation.sanitize import SanitizeConfig, SanitizeStage
from winnow.curation.sanitize.leaks import leak_check

MAIL = "ann.lee@site.io"
CONFIG = load_model(SanitizeConfig, {"fingerprint_key": "k"})


def test_a_leak_is_told_with_its_place_and_the_fingerprint_of_the_finding_it_came_from() -> None:
    nothing, (leak,) = leak_check(CONFIG)(["def f(): pass", f"ask {MAIL}"])
    assert nothing == []
    assert (leak.category, leak.start, leak.end) == ("email_address", 4, 19)
    (finding,) = SanitizeStage(CONFIG).run(as_batch(make_row(1, MAIL))).side["findings"].to_pylist()
    assert leak.fingerprint == finding["fingerprint"]


def test_what_the_sanitizer_let_pass_holds_no_leak() -> None:
    kept = SanitizeStage(CONFIG).run(as_batch(make_row(1, f"{MAIL} of /home/alice"))).kept
    assert leak_check(CONFIG)([kept["messages"][0][0]["content"].as_py()]) == [[]]


def test_a_text_that_was_not_read_is_not_called_clean() -> None:
    check = leak_check(load_model(SanitizeConfig, {"max_row_characters": 1_000}))
    with pytest.raises(DataError, match="text 1 cannot be checked"):
        check(["short", "x" * 1_001])
