import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_stage import as_batch, make_row

from winnow.curation.sanitize import SanitizeStage
from winnow.curation.text import row_strings

SECRET = "g7Kp-2mQz9"
FIRST = f'password: "{SECRET}"'


def left(*texts: str) -> list[str]:
    none = dict.fromkeys(("reasoning", "tool_calls", "tool_call_id", "name"))
    messages = [{"role": "user", "content": text, **none} for text in texts]
    kept = SanitizeStage().run(as_batch(make_row(1, "", messages=messages))).kept.to_pylist()[0]
    return [text for path, text in row_strings(kept) if path.endswith("/content")]


@pytest.mark.parametrize(
    "again", [f"Then I logged in with {SECRET}.", f"({SECRET})", json.dumps({"p": SECRET}), f"x={SECRET}&y=1"]
)
def test_a_secret_goes_wherever_the_row_repeats_it(again: str) -> None:
    for texts in ((FIRST, again), (again, FIRST), (f"{FIRST}\n\n{again}",)):
        assert not [text for text in left(*texts) if SECRET in text]


def test_a_repetition_has_the_placeholder_of_the_first() -> None:
    assert left(FIRST, f"use {SECRET}") == ['password: "<ASSIGNED_SECRET_1>"', "use <ASSIGNED_SECRET_1>"]


def test_a_part_of_another_word_is_no_repetition() -> None:
    assert left(FIRST, f"x{SECRET}1")[1] == f"x{SECRET}1"


def test_what_is_mostly_words_is_not_looked_for() -> None:
    assert left('password: "Sommer-in-Berlin-2024!"', "Sommer-in-Berlin-2024! was great")[1].startswith(
        "Sommer"
    )
