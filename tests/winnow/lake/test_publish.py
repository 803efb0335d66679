"""A publication is seen whole or not at all; what is there already is not written again."""

from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from small_lake import batch, conversation, lake_in
from writers import ROWS, every_file, in_child, publish_and_die, sanitized_candidate

from schemas.rows import SANITIZED, SFT_HELDOUT
from schemas.verdicts import TOKEN_COUNTS
from winnow.core.errors import ConfigError, DataError, RunError
from winnow.core.identity import digest
from winnow.core.stage import StageOutput, verdict_batch
from winnow.lake.commit import Slice, replace_partitions, write_empty
from winnow.lake.crash import POINTS, reach
from winnow.lake.head import FileRef
from winnow.lake.lake import Lake
from winnow.lake.names import PartName, new_nonce
from winnow.lake.parts import PartWriter
from winnow.lake.publish import publish
from winnow.lake.verdicts import read_verdicts


def _state(lake: Lake) -> dict[str, Any]:
    """All that a reader can see, by content."""
    head = lake.head("sanitized")
    return {
        "versions": {s: (p.stage_version, p.data_version, p.rows) for s, p in head.partitions.items()},
        "rows": [r for b in lake.scan("sanitized") for r in b.to_pylist()],
        "verdicts": read_verdicts(lake, "sanitize", "s").read_all().to_pylist(),
    }


def _counts(lake: Lake) -> list[dict[str, Any]]:
    return [r for b in lake.scan("stage_counts") for r in b.to_pylist()]


def test_what_was_written_is_what_is_read(lake: Lake) -> None:
    published = publish(lake, sanitized_candidate(lake, "s", "v"))
    assert published.written
    head = lake.head("sanitized")
    state = head.partitions["s"]
    assert published.state == state
    assert (state.stage_version, state.rows, head.rows) == (digest("v"), ROWS, ROWS)
    assert state.inputs() == {}
    assert state.footer()["winnow.stage"] == "sanitize"
    batches = list(lake.scan("sanitized", batch_rows=7))
    assert all(b.schema.equals(SANITIZED.arrow_schema()) for b in batches)
    assert max(b.num_rows for b in batches) == 7
    assert sum(b.num_rows for b in batches) == ROWS
    assert {r["rows"] for r in _counts(lake) if r["decision"] == "in"} == {ROWS + 1}


def test_scan_takes_columns_in_the_order_asked_for(lake: Lake) -> None:
    for source in ("a", "b"):
        publish(lake, sanitized_candidate(lake, source, "v", rows=3))
    found = [r for b in lake.scan("sanitized", ["b"], ["source", "row_id"]) for r in b.to_pylist()]
    assert [list(r) for r in found] == [["source", "row_id"]] * 3
    assert {r["source"] for r in found} == {"b"}
    only = [r for b in lake.scan("sanitized", None, ["source"]) for r in b.to_pylist()]
    assert only == [{"source": "a"}] * 3 + [{"source": "b"}] * 3
    with pytest.raises(DataError, match=r"no column `licence`. Did you mean `license`\?"):
        list(lake.scan("sanitized", columns=["licence"]))


def test_an_equal_stage_version_writes_nothing(lake: Lake) -> None:
    first = publish(lake, sanitized_candidate(lake, "s", "v"))
    before = [(e.path, e.modified) for e in lake.zone("open").list()]
    again = publish(lake, sanitized_candidate(lake, "s", "v"))
    assert not again.written
    assert again.state == first.state
    assert [(e.path, e.modified) for e in lake.zone("open").list() if "_probe" not in e.path] == before
    assert not list(lake.zone("restricted").list())
    assert lake.published("sanitized", "s", digest("v")) == first.state
    assert lake.published("sanitized", "s", digest("other")) is None


def test_a_pinned_head_outlives_the_next_publication(lake: Lake) -> None:
    publish(lake, sanitized_candidate(lake, "s", "v1"))
    pinned = lake.head("sanitized")
    old = [r for b in lake.scan("sanitized", head=pinned) for r in b.to_pylist()]
    verdicts = read_verdicts(lake, "sanitize", "s", pinned).read_all()
    publish(lake, sanitized_candidate(lake, "s", "v2", rows=4))
    assert [r for b in lake.scan("sanitized", head=pinned) for r in b.to_pylist()] == old
    assert read_verdicts(lake, "sanitize", "s", pinned).read_all() == verdicts
    assert lake.head("sanitized", pinned.version) == pinned
    assert lake.head("sanitized").rows == 4


def test_a_version_that_is_not_there_is_told(lake: Lake) -> None:
    publish(lake, sanitized_candidate(lake, "s", "v1"))
    with pytest.raises(DataError, match="sanitized has no version 99; the newest is 2"):
        lake.head("sanitized", 99)


def test_side_tables_come_along_once_a_key(lake: Lake) -> None:
    rows = [conversation("s", f"k{n}", "same text") for n in range(3)]
    counted = {"source": "s", "content_hash": rows[0]["content_hash"], "tokenizer_hash": "t", "tokens": 5}
    with lake.candidate(
        SANITIZED, "s", "sanitize", digest("v"), "1", {}, token_of=lambda b: [5] * b.num_rows
    ) as c:
        side = {"token_counts": batch(TOKEN_COUNTS, [counted] * 2)}
        c.write(StageOutput(2, batch(SANITIZED, rows[:2]), verdict_batch([]), side))
        c.write(StageOutput(1, batch(SANITIZED, rows[2:]), verdict_batch([]), side))
        c.count("in", "", 0, 15)
    publish(lake, c)
    assert [r for b in lake.scan("token_counts") for r in b.to_pylist()] == [counted]
    assert {(r["decision"], r["tokens"]) for r in _counts(lake)} == {("in", 15), ("keep", 15)}


def test_rows_that_nobody_accounts_for_bring_no_verdicts(lake: Lake) -> None:
    with lake.candidate(SFT_HELDOUT, "s", "split", digest("v"), "1", {}, accounted=False) as candidate:
        candidate.write_rows(batch(SFT_HELDOUT, [conversation("s", "k", "text")]))
    assert publish(lake, candidate).verdict_version is None
    assert lake.head("verdicts_split").version is None
    assert lake.head("stage_counts").version is None


def test_a_removed_source_leaves_an_empty_partition(lake: Lake) -> None:
    publish(lake, sanitized_candidate(lake, "s", "v"))
    assert lake.empty_partition("sanitized", "s")
    state = lake.head("sanitized").partitions["s"]
    assert state.rows == 0
    assert len(state.files) == 1
    assert list(lake.scan("sanitized")) == []
    assert read_verdicts(lake, "sanitize", "s").read_all().num_rows == 0
    assert not lake.empty_partition("sanitized", "s")
    assert not lake.empty_partition("sanitized", "never-there")
    publish(lake, sanitized_candidate(lake, "s", "v"))
    assert lake.head("sanitized").rows == ROWS


def test_no_candidate_stands_in_the_open_root(lake: Lake) -> None:
    candidate = sanitized_candidate(lake, "s", "v")
    assert list(lake.zone("open").list()) == []
    assert list(lake.zone("restricted").list(candidate.folder))


def test_an_exception_inside_deletes_the_candidate(lake: Lake) -> None:
    candidate = lake.candidate(SANITIZED, "s", "sanitize", digest("v"), "1", {})
    kept = batch(SANITIZED, [conversation("s", "k", "text")])
    candidate.write(StageOutput(1, kept, verdict_batch([])))
    candidate.__exit__(ZeroDivisionError)
    assert list(lake.zone("restricted").list()) == []


def test_a_disk_that_is_full_gets_its_space_back(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: PartWriter) -> None:
        raise RunError("LAKE_RAW_ROOT is full")

    candidate = lake.candidate(SANITIZED, "s", "sanitize", digest("v"), "1", {})
    lake.zone("restricted").put(f"{candidate.folder}/part-00000.parquet", b"half")
    monkeypatch.setattr(PartWriter, "abort", full)
    candidate.__exit__(RunError)
    assert list(lake.zone("restricted").list()) == []


def test_a_source_must_be_a_slug(lake: Lake) -> None:
    with pytest.raises(ConfigError, match="source `My Source` cannot name a partition"):
        sanitized_candidate(lake, "My Source", "v")


def test_the_log_says_who_and_what(lake: Lake) -> None:
    published = publish(lake, sanitized_candidate(lake, "s", "v"))
    zone = lake.zone("open")
    table = DeltaTable(zone.uri("sanitized"), storage_options=zone.settings.delta_options())
    newest = table.history(1)[0]
    assert newest["winnow.source"] == "s"
    assert newest["winnow.stage_version"] == digest("v")
    assert newest["winnow.data_version"] == published.state.data_version
    assert newest["winnow.verdict_version"] == str(published.verdict_version)
    protocol = table.protocol()
    assert (protocol.min_reader_version, protocol.min_writer_version) == (1, 2)
    assert table.metadata().configuration["delta.enableExpiredLogCleanup"] == "false"


def test_a_checkpoint_of_the_log_keeps_the_rows(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    publish(lake, sanitized_candidate(lake, "kept", "v", rows=3))
    zone, folder = lake.zone("open"), "sanitized/source=s"
    for n in range(101):
        path = f"{folder}/{PartName(digest(n), digest(n), None, new_nonce())}"
        file = FileRef(path, write_empty(zone, SANITIZED, path), 0)
        replace_partitions(zone, SANITIZED, [Slice(("s",), (file,))], {}, lambda head: None)
    assert list((tmp_path / "lake/sanitized/_delta_log").glob("*.checkpoint.parquet"))
    assert lake.head("sanitized").partitions["kept"].rows == 3
    assert lake.head("sanitized", 2).partitions["kept"].rows == 3


@pytest.mark.parametrize("first", [True, False], ids=["first", "overwrite"])
@pytest.mark.parametrize("point", POINTS)
def test_a_kill_leaves_the_old_state_and_a_rerun_the_new(tmp_path: Path, point: str, first: bool) -> None:
    env = {"LAKE_ROOT": str(tmp_path / "lake"), "LAKE_RAW_ROOT": str(tmp_path / "lake_raw")}
    lake = lake_in(tmp_path)
    if not first:
        publish(lake, sanitized_candidate(lake, "s", "v1", rows=3))
    old = _state(lake)
    calm = lake_in(tmp_path / "calm")
    publish(calm, sanitized_candidate(calm, "s", "v2"))
    assert in_child(publish_and_die, env, "s", "v2", f"{point}:1") == -9
    assert _state(lake) == (_state(calm) if point == "layer-committed" else old)
    assert not [f for f in every_file(env["LAKE_ROOT"]) if "_candidates" in f]
    publish(lake, sanitized_candidate(lake, "s", "v2"))
    assert _state(lake) == _state(calm)
    assert _counts(lake) == _counts(calm)


@pytest.mark.s3
@pytest.mark.parametrize("point", ["copied", "verdicts-committed", "before-layer-commit"])
def test_a_kill_on_s3(seaweed: Any, tmp_path: Path, point: str) -> None:
    from winnow.lake.settings import LakeSettings

    env = seaweed.lake_env()
    lake = Lake.open(LakeSettings.from_env(env))
    publish(lake, sanitized_candidate(lake, "s", "v1", rows=3))
    old = _state(lake)
    assert in_child(publish_and_die, env, "s", "v2", f"{point}:1") == -9
    assert _state(lake) == old
    calm = lake_in(tmp_path)
    publish(calm, sanitized_candidate(calm, "s", "v2"))
    publish(lake, sanitized_candidate(lake, "s", "v2"))
    assert _state(lake) == _state(calm)


def _reach_twice() -> None:
    for _ in range(2):
        reach("copied")


def test_crash_points_count_over_processes_that_share_a_folder(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("WINNOW_CRASH_AT", "copied:3")
    assert in_child(_reach_twice) == 0
    monkeypatch.setenv("WINNOW_CRASH_DIR", str(tmp_path))
    assert [in_child(_reach_twice) for _ in range(3)] == [0, -9, 0]
