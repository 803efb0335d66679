"""Verdicts of a global stage are one commit; a slice is rewritten only when it says something else."""

import os
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from small_lake import conversation, grow, lake_in, sample_rows
from writers import in_child

from winnow.core.errors import AuditError, ConflictError, DataError
from winnow.core.identity import digest
from winnow.core.stage import VERDICT_SCHEMA, Verdict, verdict_batch
from winnow.lake.head import TableHead
from winnow.lake.lake import Lake
from winnow.lake.names import GLOBAL
from winnow.lake.settings import LakeSettings
from winnow.lake.verdicts import publish_global_verdicts, read_verdicts
from winnow.lake.versions import removed_version

IDS = [conversation("s", f"k{n}", f"text {n}")["row_id"] for n in range(4)]


def _drop(source: str, number: int, score: float = 1.0) -> Verdict:
    return Verdict(IDS[number], source, "drop", "exact", score=score, matched_id=IDS[3])


def _publish(
    lake: Lake,
    version: str,
    slices: Mapping[str, Sequence[Verdict]],
    base: TableHead | None = None,
    **judged: str,
) -> TableHead:
    """`judged` overrides the data version of a source's rows, `1` by default."""
    inputs = {source: judged.get(source, "1") for source in slices}
    batches = {source: [verdict_batch(found)] if found else [] for source, found in slices.items()}
    named = {f"sanitized/{source}": v for source, v in inputs.items()}
    return publish_global_verdicts(lake, "dedup", batches, inputs, digest(version), named, base=base)


def test_all_slices_and_their_state_are_one_commit(lake: Lake) -> None:
    head = _publish(lake, "v1", {"a": [_drop("a", 0)], "b": []})
    assert set(head.partitions) == {"a", "b", GLOBAL}
    assert lake.head("verdicts_dedup") == head
    state = head.partitions[GLOBAL]
    assert (state.stage_version, state.rows) == (digest("v1"), 0)
    assert state.inputs() == {"sanitized/a": "1", "sanitized/b": "1"}
    assert head.partitions["a"].data_version == removed_version([IDS[0]])
    assert head.partitions["b"].data_version == removed_version([])
    assert head.version is not None
    assert set(lake.head("verdicts_dedup", head.version - 1).partitions) == set()


def test_an_equal_version_commits_nothing(lake: Lake) -> None:
    first = _publish(lake, "v1", {"a": [_drop("a", 0)]})
    assert _publish(lake, "v1", {"a": [_drop("a", 0)]}) == first


def test_only_the_slices_that_changed_are_rewritten(lake: Lake) -> None:
    before = _publish(lake, "v1", {"a": [_drop("a", 0)], "b": [_drop("b", 1)], "c": []})
    after = _publish(lake, "v2", {"a": [_drop("a", 0)], "b": [_drop("b", 2)], "c": []}, c="2")
    assert after.partitions["a"] == before.partitions["a"]
    assert after.partitions["b"].data_version != before.partitions["b"].data_version
    assert after.partitions["c"].stage_version != before.partitions["c"].stage_version
    assert after.partitions["c"].data_version == before.partitions["c"].data_version


def test_another_score_on_the_same_drops_keeps_the_survivors(lake: Lake) -> None:
    before = _publish(lake, "v1", {"a": [_drop("a", 0, score=1.0)]})
    after = _publish(lake, "v2", {"a": [_drop("a", 0, score=0.9)]})
    assert after.partitions["a"].stage_version != before.partitions["a"].stage_version
    assert after.partitions["a"].data_version == before.partitions["a"].data_version


def test_a_removed_source_gets_an_empty_slice(lake: Lake) -> None:
    _publish(lake, "v1", {"a": [_drop("a", 0)], "b": [_drop("b", 1)]})
    head = _publish(lake, "v2", {"a": [_drop("a", 0)]})
    assert head.partitions["b"].rows == 0
    assert _publish(lake, "v3", {"a": []}).partitions["b"] == head.partitions["b"]


def test_a_slice_that_fails_its_audit_stops_all(lake: Lake) -> None:
    before = _publish(lake, "v1", {"a": []})
    with pytest.raises(AuditError, match="key"):
        _publish(lake, "v2", {"a": [_drop("a", 0), _drop("a", 0)]})
    assert lake.head("verdicts_dedup") == before


def test_a_writer_that_began_before_another_is_refused(lake: Lake) -> None:
    base = _publish(lake, "v1", {"a": []})
    after = _publish(lake, "v2", {"a": [_drop("a", 0)]})
    with pytest.raises(ConflictError, match="Another writer published verdicts_dedup"):
        _publish(lake, "v3", {"a": [_drop("a", 1)]}, base=base)
    assert lake.head("verdicts_dedup") == after


def _publish_at_once(env: Mapping[str, str], number: int, barrier: Any, results: Any) -> None:
    lake = Lake.open(LakeSettings.from_env(env))
    base = lake.head("verdicts_dedup")
    barrier.wait(60)
    try:
        _publish(lake, f"v{number}", {"a": [_drop("a", number)], "b": []}, base=base)
        results.put("written")
    except ConflictError:
        results.put("conflict")
    except Exception as error:
        results.put(f"failed: {error}")


def test_of_first_writers_of_global_verdicts_one_wins(lake: Lake, lake_env: dict[str, str]) -> None:
    context = get_context("spawn")
    barrier, results = context.Barrier(3), context.Queue()
    processes = [
        context.Process(target=_publish_at_once, args=(lake_env, n, barrier, results)) for n in range(3)
    ]
    for process in processes:
        process.start()
    found = sorted(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join(60)
    assert found == ["conflict", "conflict", "written"]
    assert [len(s.files) for s in lake.head("verdicts_dedup").partitions.values()] == [1, 1, 1]
    assert len([r for b in lake.scan("verdicts_dedup") for r in b.to_pylist()]) == 1


def _publish_and_die(env: dict[str, str], point: str) -> None:
    os.environ["WINNOW_CRASH_AT"] = point
    _publish(Lake.open(LakeSettings.from_env(env)), "v2", {"a": [_drop("a", 0)], "b": [_drop("b", 1)]})


@pytest.mark.parametrize("point", ["candidate-written:2", "copied:1", "verdicts-committed:1"])
def test_a_kill_leaves_all_slices_old_or_all_new(tmp_path: Path, point: str) -> None:
    env = {"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(tmp_path / "lake_raw")}
    lake = lake_in(tmp_path)
    old = _publish(lake, "v1", {"a": [], "b": []})
    assert in_child(_publish_and_die, env, point) == -9
    landed = point.startswith("verdicts")
    assert (lake.head("verdicts_dedup") == old) == (not landed)
    head = _publish(lake, "v2", {"a": [_drop("a", 0)], "b": [_drop("b", 1)]})
    assert {s: head.partitions[s].rows for s in ("a", "b")} == {"a": 1, "b": 1}


def test_reading_where_there_is_nothing_gives_a_typed_empty_stream(lake: Lake) -> None:
    reader = read_verdicts(lake, "sanitize", "s")
    assert reader.schema.equals(VERDICT_SCHEMA)
    assert reader.read_all().num_rows == 0
    with pytest.raises(DataError, match=r"No stage `sanitise`. Known stages: ingest"):
        read_verdicts(lake, "sanitise", "s").read_all()


def test_a_layer_reads_the_global_verdicts_it_was_built_on(lake: Lake) -> None:
    rows = sample_rows("s", 6)
    grow(lake, {"s": rows})
    head = lake.head("verdicts_dedup")
    dropped = read_verdicts(lake, "dedup", "s").read_all().to_pylist()
    assert [r["row_id"] for r in dropped] == [rows[1]["row_id"]]
    verdict = Verdict(rows[1]["row_id"], "s", "drop", "near", score=0.8)
    inputs = {"s": lake.head("sanitized").partitions["s"].data_version}

    def again(version: str, *found: Verdict) -> None:
        publish_global_verdicts(lake, "dedup", {"s": [verdict_batch(found)]}, inputs, digest(version), {})

    again("same drops, better explained", verdict)
    assert read_verdicts(lake, "dedup", "s").read_all().to_pylist()[0]["rule"] == "near"
    again("other drops", Verdict(rows[2]["row_id"], "s", "drop", "near"))
    assert read_verdicts(lake, "dedup", "s").read_all().to_pylist() == dropped
    assert lake.head("verdicts_dedup") != head
