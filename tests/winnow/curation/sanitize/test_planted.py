"""No planted value survives the stage in any disguise."""

import sys
from pathlib import Path

import orjson
import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[3] / "support"))
from planted_values import ALL, planted_texts, readable_by_anyone
from test_stage import as_batch, make_row

from winnow.curation.sanitize import SanitizeStage

TEXTS = dict(planted_texts())


@pytest.mark.parametrize("name", TEXTS)
def test_what_was_planted_is_gone_and_its_row_is_told(name: str) -> None:
    value = ALL[name.split()[0]]
    assert readable_by_anyone(TEXTS[name].encode(), value)
    output = SanitizeStage().run(as_batch(make_row(1, TEXTS[name])))
    kept = orjson.dumps(output.kept.to_pylist())
    told = orjson.dumps([output.verdicts.to_pylist(), output.side["findings"].to_pylist()])
    assert readable_by_anyone(kept, value) == []
    assert readable_by_anyone(told, value) == []
    assert output.verdicts.num_rows == 1


def test_the_names_of_the_planted_rows_are_all_there() -> None:
    assert len(TEXTS) == 5 * 8 + 6
