"""The rows drawn depend on the lake and the seed alone, and their texts on what may be opened."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted_findings import SECRET, plant
from small_lake import conversation, grown, publish_layer, raw_row

from schemas.raw import RAW
from schemas.rows import CONVERSATIONS
from winnow.core.errors import ConfigError, DataError
from winnow.core.stage import Verdict
from winnow.lake.access import access_records
from winnow.lake.changes import INPUTS, Question, _shared, opens_restricted, sample_changes, stage_named
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake


@given(st.integers(0, 40), st.lists(st.integers(0, 20), min_size=1, max_size=4))
def test_a_limit_is_shared_as_evenly_as_it_lasts(limit: int, there: list[int]) -> None:
    taken = _shared(limit, there)
    assert sum(taken) == min(limit, sum(there))
    assert all(t <= n for t, n in zip(taken, there, strict=True))
    short = [t for t, n in zip(taken, there, strict=True) if t < n]
    assert not short or max(taken) - min(short) <= 1


def test_every_stage_reads_the_layer_before_it() -> None:
    assert INPUTS.keys() == LAYERS.keys()
    assert {table for table in INPUTS.values() if table} <= set(LAYERS.values())
    assert [stage for stage in LAYERS if opens_restricted(stage)] == ["ingest", "normalize", "sanitize"]
    assert [stage_named(layer) for layer in LAYERS.values()] == list(LAYERS)
    with pytest.raises(ConfigError, match=r"Did you mean `deduped`\?"):
        stage_named("dedupe")


def test_text_of_the_restricted_zone_is_left_out_unless_it_is_opened(lake: Lake) -> None:
    plant(lake)
    asked = Question("sanitize", limit=4)
    shut = sample_changes(lake, asked)
    assert shut.hidden
    assert [change.before for change in shut.changes] == [None] * 4
    assert {change.decision for change in shut.changes if change.after} == {"redact"}
    assert SECRET.partition("{")[0] not in str(shut)
    assert access_records(lake) == []
    opened = sample_changes(lake, asked, restricted=True, why="test")
    assert not opened.hidden
    assert [change.row_id for change in opened.changes] == [change.row_id for change in shut.changes]
    for change in opened.changes:
        (span,) = change.spans
        assert change.before is not None
        text = change.before["messages"][0]["content"]
        assert text[span["start"] : span["end"]].startswith(SECRET.partition("{")[0])
    assert len(access_records(lake)) == 1


def test_an_open_stage_opens_nothing_that_is_to_be_recorded(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    found = sample_changes(lake, Question("dedup"), restricted=True, why="test")
    assert access_records(lake) == []
    for change in found.changes:
        assert change.before is not None
        assert change.kept is not None
        assert change.after is None
        assert (change.before["row_id"], change.kept["row_id"]) == (change.row_id, change.matched_id)


def test_totals_and_rows_are_those_that_were_asked_for(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    plant(lake)
    found = sample_changes(lake, Question("sanitize", "gamma", ("drop", "park"), limit=2))
    assert found.totals == {"drop": 4, "park": 0}
    assert [(c.source, c.decision) for c in found.changes] == [("gamma", "drop")] * 2
    assert not sample_changes(lake, Question("sanitize", "alpha", rule="token/d")).changes


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Question("dedup", source="gamme"), "No source `gamme` in the lake. There are alpha, beta."),
        (Question("dedup", rule="exact"), "No rule `exact` fired in dedup. Did you mean `exact_copy`"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, asked: Question, said: str) -> None:
    with pytest.raises(DataError) as error:
        sample_changes(grown(tmp_path), asked)
    assert str(error.value).startswith(said.rstrip("`"))


def test_a_raw_record_shows_as_its_payload(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    row = conversation("delta", "k", "broken")
    raw = {**raw_row(row), "payload": b"caf\xe9 {"}
    publish_layer(lake, "ingest", RAW, "delta", 1, [raw])
    parked = Verdict(row["row_id"], "delta", "park", "malformed-json")
    publish_layer(lake, "normalize", CONVERSATIONS, "delta", 1, [], [parked])
    (found,) = sample_changes(
        lake, Question("normalize", decisions=("park",)), restricted=True, why="test"
    ).changes
    assert (found.before, found.after) == ({"payload": "caf\ufffd {"}, None)
