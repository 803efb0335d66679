import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from paired_lake import ALIGNED, paired
from small_lake import grow, grown, sample

from schemas.checkpoints import CHECKPOINT_ROWS
from winnow.core.errors import ConfigError, DataError
from winnow.lake.access import access_records
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake
from winnow.lake.records import replace_rows
from winnow.lake.release import build_release
from winnow.lake.trace import Trace, trace

ROWS = sample()
CLEAN, COPY, CONTAMINATED, BROKEN = (row["row_id"] for row in ROWS["alpha"][:4])
LAST = ROWS["alpha"][7]["row_id"]


def decisions(found: Trace) -> dict[str, str | None]:
    return {step.stage: step.decision for step in found.steps}


def present(found: Trace) -> list[str]:
    return [step.layer for step in found.steps if step.present]


@pytest.mark.parametrize(
    ("row_id", "stage", "rule"),
    [
        (COPY, "dedup", "exact_copy"),
        (CONTAMINATED, "decontaminate", "decontaminate_rule"),
        (BROKEN, "quality", "quality_rule"),
    ],
)
def test_a_dropped_row_was_kept_before_and_never_came_after(
    tmp_path: Path, row_id: str, stage: str, rule: str
) -> None:
    found = trace(grown(tmp_path), row_id)
    at = list(LAYERS).index(stage)
    assert [step.decision for step in found.steps] == ["keep"] * at + ["drop"] + [None] * (
        len(LAYERS) - 1 - at
    )
    assert found.steps[at].rule == rule
    assert present(found) == list(LAYERS.values())[2:at]
    assert found.source == "alpha"


def test_a_kept_row_is_there_to_the_end_with_what_was_done_to_it(tmp_path: Path) -> None:
    found = trace(grown(tmp_path), CLEAN)
    made = [s for s in LAYERS if s != "preference"]
    assert decisions(found) == {s: "redact" if s == "sanitize" else "keep" for s in made} | {
        "preference": None
    }
    (span,) = found.steps[2].spans
    assert span == {
        "category": "email_address",
        "detector": "address",
        "path": "/messages/0/content",
        "start": 0,
        "end": 2,
    }


def test_copies_and_the_row_they_lost_to_name_each_other(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    kept = trace(lake, CLEAN)
    assert len(kept.copies) == 3
    for copy in kept.copies:
        lost = trace(lake, copy)
        assert (lost.steps[3].matched_id, lost.matched_source) == (CLEAN, "alpha")


def test_the_restricted_layers_are_looked_into_only_for_a_reason(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    assert [step.present for step in trace(lake, CLEAN).steps[:2]] == [None, None]
    with pytest.raises(ConfigError, match="reason"):
        trace(lake, CLEAN, restricted=True)
    assert access_records(lake) == []
    assert [step.present for step in trace(lake, CLEAN, restricted=True, why="audit").steps[:2]] == [
        True,
        True,
    ]
    assert len(access_records(lake)) == 1


def test_releases_and_checkpoints_that_hold_it_are_named_after_it_left(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    build_release(lake, "first")
    see_trained(lake, LAST)
    grow(lake, {"alpha": ROWS["alpha"][:7], "beta": ROWS["beta"]})
    build_release(lake, "second")
    found = trace(lake, LAST)
    assert (found.releases, found.checkpoints, found.source) == (("first",), (("m", "c1"),), "alpha")
    assert present(found) == []
    assert trace(lake, CLEAN).releases == ("first", "second")
    assert trace(lake, COPY).releases == ()


def see_trained(lake: Lake, row_id: str) -> None:
    row = {
        "checkpoint_id": "c1",
        "position": 0,
        "row_id": row_id,
        "source_of_row": "alpha",
        "content_hash": "0",
    }
    schema = pa.schema([pa.field(c.name, c.type) for c in CHECKPOINT_ROWS.columns if c.name != "model"])
    replace_rows(lake, CHECKPOINT_ROWS, "m", pa.Table.from_pylist([row], schema=schema))


def test_an_unknown_row_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^No row `0{32}` in LAKE_ROOT=[^\n]*$"):
        trace(grown(tmp_path), "0" * 32)


def test_access_records_are_one_line_of_json_each(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    trace(lake, CLEAN, restricted=True, why="a\nb")
    (path,) = (tmp_path / "lake_raw" / "access").iterdir()
    assert len(path.read_text().splitlines()) == 1
    assert datetime.fromisoformat(json.loads(path.read_text())["at"]) <= datetime.now(UTC)


def test_a_row_is_followed_into_its_pair_and_the_checkpoint_that_saw_it(tmp_path: Path) -> None:
    made = paired(tmp_path)
    found = trace(made.lake, made.parent)
    assert decisions(found)["preference"] == "keep"
    assert "preference_pairs" in present(found)
    assert made.pair["row_id"] in found.children
    assert ("sft", ALIGNED) in found.checkpoints
    pair = trace(made.lake, made.pair["row_id"])
    assert (pair.parent, pair.source, pair.checkpoints) == (made.parent, "alpha", (("sft", ALIGNED),))


def test_a_row_without_a_pair_says_why(tmp_path: Path) -> None:
    made = paired(tmp_path)
    found = trace(made.lake, ROWS["beta"][-1]["row_id"])
    (step,) = [step for step in found.steps if step.stage == "preference"]
    assert (step.decision, step.rule, step.present) == ("drop", "no-doctest", False)
