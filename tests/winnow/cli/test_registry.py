import pyarrow as pa
import pytest
from small_lake import batch, lake_in, sample_rows
from trained_lake import FIRST, SECOND, contender, decision

from schemas.rows import CURATED
from winnow.core.errors import AuditError
from winnow.core.stage import StageOutput, verdict_batch
from winnow.lake.publish import publish
from winnow.lake.registry import record_decision, swap


def test_the_registry_tells_aliases_and_decisions(winnow, lake):
    opened, release = lake
    assert winnow("registry").out.startswith("No decision was taken yet")
    swap(opened, "sft", None, contender(release, FIRST), decision(FIRST, "base", "promote"), "gate")
    record_decision(opened, "sft", contender(release, SECOND), decision(SECOND, FIRST, "reject"), "gate")
    answer = winnow("registry")
    assert f"champion  {FIRST}" in answer.out
    assert "-2.00% [-3.00%, -1.00%]" in answer.lines[-1]
    assert answer.lines[-1].split()[4:6] == ["reject", FIRST]
    told = winnow("registry", "sft", "--json").json["sft"]
    assert [d["decision"]["verdict"] for d in told["decisions"]] == ["promote", "reject"]
    assert [a["checkpoint_id"] for a in told["aliases"]] == [FIRST]
    assert "There are sft." in winnow("registry", "nope").err


def test_promote_moves_only_with_a_decision(winnow, lake):
    opened, release = lake
    refused = winnow("promote", FIRST)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "dg launch --job evaluate" in refused.err
    record_decision(opened, "sft", contender(release, FIRST), decision(FIRST, "base", "promote"))
    assert winnow("promote", FIRST[:8]).out == f"{FIRST} is now champion of sft\n"
    assert winnow("promote", FIRST).out == f"{FIRST} is champion of sft already\n"
    record_decision(opened, "sft", contender(release, SECOND), decision(SECOND, FIRST, "promote"))
    assert winnow("promote", SECOND, "--json").json == {
        "model": "sft",
        "moved": True,
        "champion": SECOND,
        "previous": FIRST,
    }


@pytest.fixture
def attempt(winnow, tmp_path) -> str:
    """A candidate with one row twice, which the audit rejects."""
    opened = lake_in(tmp_path)
    rows = [sample_rows("alpha", 5)[4]] * 2
    with opened.candidate(
        CURATED, "alpha", "quality", "0" * 32, "1", {"decontaminated/alpha": "v"}
    ) as candidate:
        empty = verdict_batch([])
        candidate.write(StageOutput(2, batch(CURATED, rows), empty))
    with pytest.raises(AuditError):
        publish(opened, candidate)
    assert isinstance(empty, pa.RecordBatch)
    return candidate.attempt


def test_rejected_candidates_are_listed_and_shown_without_their_text(winnow, attempt: str):
    listed = winnow("rejected", "list")
    assert listed.lines[1].split()[:3] == [attempt, "curated", "alpha"]
    shown = winnow("rejected", "show", attempt)
    assert "rows     2 in, 2 kept" in shown.out
    assert "decontaminated/alpha at v" in shown.out
    told = winnow("rejected", "show", attempt, "--json").json
    assert told["failures"] == winnow("rejected", "list", "--json").json[0]["failures"]
    assert told["manifest"]["stage"] == "quality"
    assert "question 4" not in listed.out + shown.out
    assert attempt in winnow("status").out


def test_nothing_rejected(winnow):
    assert winnow("rejected", "list").out == "No candidate is rejected.\n"
    assert "No rejected candidate `00000000`" in winnow("rejected", "show", "00000000").err
