from pathlib import Path

import pytest
from trained_lake import FIRST, SECOND, contender, decision, trained

from winnow.core.errors import DataError
from winnow.lake.lake import Lake
from winnow.lake.promotion import promote
from winnow.lake.registry import aliases, history, record_decision, swap


def named(lake: Lake) -> dict[str, str]:
    return {name: alias.checkpoint_id for name, alias in aliases(lake, "sft").items()}


def test_a_checkpoint_that_the_gate_promotes_becomes_champion_once(tmp_path: Path):
    lake, release = trained(tmp_path)
    record_decision(lake, "sft", contender(release, FIRST), decision(FIRST, "base", "promote"), "gate")
    promote(lake, FIRST[:8], "ann")
    assert named(lake) == {"champion": FIRST}
    last = history(lake, "sft")[-1]
    assert (last.moved_champion, last.decided_by) == (True, "ann")
    assert last.decision == decision(FIRST, "base", "promote")
    promote(lake, FIRST, "ann")
    assert len(history(lake, "sft")) == 2


def test_a_second_one_needs_a_decision_against_the_present_champion(tmp_path: Path):
    lake, release = trained(tmp_path)
    swap(lake, "sft", None, contender(release, FIRST), decision(FIRST, "base", "promote"))
    record_decision(lake, "sft", contender(release, SECOND), decision(SECOND, "base", "promote"))
    with pytest.raises(DataError, match=f"judged against base, not against {FIRST}.*--job evaluate"):
        promote(lake, SECOND)
    record_decision(lake, "sft", contender(release, SECOND), decision(SECOND, FIRST, "promote"))
    promote(lake, SECOND)
    assert named(lake) == {"champion": SECOND, "previous": FIRST}
    with pytest.raises(DataError, match=f"not against {SECOND}"):
        promote(lake, FIRST)


def test_a_decision_against_a_checkpoint_is_none_against_the_base(tmp_path: Path):
    lake, release = trained(tmp_path)
    record_decision(lake, "sft", contender(release, SECOND), decision(SECOND, FIRST, "promote"))
    with pytest.raises(DataError, match="not against the base model"):
        promote(lake, SECOND)


@pytest.mark.parametrize("verdict", ["reject", "inconclusive"])
def test_the_last_verdict_counts(tmp_path: Path, verdict: str):
    lake, release = trained(tmp_path)
    record_decision(lake, "sft", contender(release, FIRST), decision(FIRST, "base", "promote"))
    record_decision(lake, "sft", contender(release, FIRST), decision(FIRST, "base", verdict))
    with pytest.raises(DataError, match=f"is {verdict} \\(planted: {verdict}\\)"):
        promote(lake, FIRST)
    assert named(lake) == {}


def test_without_a_decision_on_exactly_this_checkpoint_nothing_moves(tmp_path: Path):
    lake, release = trained(tmp_path)
    record_decision(lake, "sft", contender(release, FIRST), decision(SECOND, "base", "promote"))
    with pytest.raises(DataError, match=f"no gate decision on {FIRST} is recorded"):
        promote(lake, FIRST)
    with pytest.raises(DataError, match="No checkpoint `nope`"):
        promote(lake, "nope")
    assert named(lake) == {}
