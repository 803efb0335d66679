"""`winnow backfill`: one run a source, the verdicts once after all, and a daemon only for as long as it takes."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from backfill_runs import (
    ALL,
    JUDGED,
    LAYERS,
    Backfill,
    backfill_ids,
    living,
    wait_until_none_lives,
    waves,
)
from dagster._core.execution.backfill import BulkActionStatus
from demo_run import PROJECT, WINNOW, Places
from lake_laws import accounts_for_every_row, files_of
from written_sources import WrittenSources, originals

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
NAMED = ["alpha", "beta", "gamma"]


def places_in(root: Path) -> tuple[Places, WrittenSources]:
    """Four sources of a few rows; beta begins with copies of alpha's rows."""
    written = WrittenSources(root / "sources")
    for name in (*NAMED, "delta"):
        written.put(name, originals(name, 40))
    copies = {f"beta-{n}": written.rows["alpha"][f"alpha-{n}"] for n in range(5)}
    written.put("beta", written.rows["beta"] | copies)
    settings = {
        "WINNOW_SOURCES": str(written.path),
        "WINNOW_CONFIG": str(PROJECT / "assets/profiles/tiny.yaml"),
    }
    return Places.in_folder(root, **settings), written


@pytest.fixture(scope="module")
def backfilled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Places, WrittenSources, dict[str, object]]:
    places, written = places_in(tmp_path_factory.mktemp("backfill"))
    (report,) = json.loads(places.winnow("backfill", *NAMED, "--json"))
    return places, written, report


def home_of(places: Places) -> Path:
    return places.root / "dagster"


def refused(places: Places, *arguments: str, **more: str) -> str:
    """What a command that must fail says on stderr."""
    done = subprocess.run(
        [WINNOW, *arguments],
        capture_output=True,
        text=True,
        env=places.environment(**more),
        cwd=PROJECT,
        timeout=280,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stderr


def test_one_run_a_source_and_the_verdicts_once_after_all(backfilled):
    places, _, report = backfilled
    backfill = Backfill.read(home_of(places), report["backfill_id"])
    assert backfill.status == BulkActionStatus.COMPLETED_SUCCESS
    assert backfill.runs == waves(NAMED)
    assert backfill.order[len(NAMED)] == JUDGED
    assert set(backfill.skipped.values()) == {False}
    assert (report["runs"], report["written"], report["skipped"]) == (7, 19, 0)


def test_it_publishes_what_was_named_and_nothing_else(backfilled):
    lake = backfilled[0].lake
    for layer in LAYERS:
        assert sorted(lake.head(layer).partitions) == NAMED
    assert lake.head("deduped").partitions["beta"].rows == 35
    accounts_for_every_row(lake)


def test_no_process_is_left(backfilled):
    assert wait_until_none_lives(home_of(backfilled[0]), 30) == {}


def test_an_unknown_source_is_refused_before_anything_starts(backfilled):
    places, _, _ = backfilled
    before = backfill_ids(home_of(places))
    told = refused(places, "backfill", "alhpa")
    assert "Did you mean `alpha`?" in told
    assert len(told.splitlines()) == 1
    assert backfill_ids(home_of(places)) == before


def test_a_second_run_does_nothing_and_says_so(backfilled):
    places, _, _ = backfilled
    files = files_of(places.lake)
    assert "nothing to do: all 19 partitions are unchanged" in places.winnow("backfill", *NAMED)
    assert files_of(places.lake) == files
    backfill = Backfill.read(home_of(places), backfill_ids(home_of(places))[-1])
    assert backfill.runs == waves(NAMED)
    assert set(backfill.skipped.values()) == {True}


def test_a_source_without_its_file_stops_no_other(tmp_path: Path):
    places, written = places_in(tmp_path)
    missing = written.folder / "beta.jsonl"
    missing.unlink()
    error = refused(places, "backfill", "alpha", "beta").strip().splitlines()[-1]
    assert error.startswith("error: beta: raw: ")
    assert missing.name in error
    assert "Traceback" not in error
    lake = places.lake
    assert [sorted(lake.head(layer).partitions) for layer in LAYERS] == [["alpha"]] * len(LAYERS)
    read = [Backfill.read(home_of(places), name) for name in backfill_ids(home_of(places))]
    assert [backfill.skipped.get((ALL, "dedup_verdicts")) for backfill in read] == [None, False]
    assert read[-1].status == BulkActionStatus.COMPLETED_SUCCESS


def test_sources_that_are_not_valid_are_one_report(tmp_path: Path):
    places, written = places_in(tmp_path)
    written.path.write_text("sources: [{id: Alpha, kind: jsonl, location: a.jsonl}]")
    told = refused(places, "backfill")
    assert told.startswith("error: ")
    assert "sources.yaml" in told
    assert "Traceback" not in told


def started(places: Places, *sources: str) -> subprocess.Popen[str]:
    """A backfill whose first run has begun."""
    process = places.start("backfill", *sources)
    limit = time.monotonic() + 120
    while not any("spawn_main" in command for command in living(home_of(places)).values()):
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < limit
        time.sleep(0.1)
    return process


def test_ctrl_c_ends_the_backfill_its_runs_and_its_daemon(tmp_path: Path):
    places, _ = places_in(tmp_path)
    process = started(places, "alpha")
    os.killpg(process.pid, signal.SIGINT)
    printed, _ = process.communicate(timeout=90)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert wait_until_none_lives(home_of(places), 30) == {}
    (name,) = backfill_ids(home_of(places))
    assert Backfill.read(home_of(places), name).status == BulkActionStatus.CANCELED


@pytest.mark.parametrize("killed", ["the command", "everything"])
def test_after_a_kill_the_next_backfill_goes_on(tmp_path: Path, killed: str):
    places, _ = places_in(tmp_path)
    process = started(places, "alpha", "beta")
    for pid in [process.pid] if killed == "the command" else living(home_of(places)):
        os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert wait_until_none_lives(home_of(places), 60) == {}
    places.winnow("backfill", "alpha")
    first, second = (Backfill.read(home_of(places), name) for name in backfill_ids(home_of(places)))
    assert first.status == BulkActionStatus.CANCELED
    assert second.status == BulkActionStatus.COMPLETED_SUCCESS
    assert second.runs == waves(["alpha"])
    assert sorted(places.lake.head("curated").partitions) == ["alpha"]
    accounts_for_every_row(places.lake)
