"""New code with a fault: the audit fails in Dagster, the last good partition stays, the candidate is named."""

import json
import subprocess
import sys

import dagster as dg
import pytest
from dagster._core.storage.asset_check_execution_record import AssetCheckExecutionRecordStatus
from demo_run import PROJECT, Places
from lake_laws import files_of, rewritten
from plain_duckdb import PlainDuckDB
from written_sources import WrittenSources, originals

pytestmark = pytest.mark.slow
SECRETIVE = "zebra-crossing"
"""A word of the rows that must not show in anything that is said of a candidate."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A lake whose raw, conversations and sanitized hold thirty rows of one source."""
    root = tmp_path_factory.mktemp("rejected")
    written = WrittenSources(root / "in")
    written.put("only", {key: f"{text} {SECRETIVE}" for key, text in originals("only", 30).items()})
    places = Places.in_folder(root / "lake", WINNOW_SOURCES=str(written.path))
    for asset in ("raw", "conversations", "sanitized"):
        materialize(places, asset, "none")
    return places


def materialize(places: Places, asset: str, fault: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, str(PROJECT / "tests" / "support" / "faulty_run.py"), asset, "only", fault],
        env=places.environment(PYTHONPATH=str(PROJECT)),
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == code, done.stderr[-3000:]
    return done.stdout


def checks_and_materializations(places: Places, asset: str) -> tuple[list[str], int]:
    """Status of every audit of the asset, newest first, and how often it was materialized."""
    with dg.DagsterInstance.from_config(str(places.root / "dagster")) as instance:
        key = dg.AssetKey(asset)
        history = instance.event_log_storage.get_asset_check_execution_history(
            dg.AssetCheckKey(key, "audit"), limit=9
        )
        made = instance.fetch_materializations(key, limit=9).records
    return [record.status.value for record in history], len(made)


@pytest.mark.parametrize(
    ("asset", "fault", "reason"),
    [
        ("raw", "loses-a-row", "30 rows in, but 29 kept"),
        ("sanitized", "unknown-kind", "kind is known: 30 rows"),
        ("sanitized", "repeats-a-row", "key (row_id) is not unique"),
    ],
)
def test_a_candidate_that_fails_its_audit_is_rejected(
    asset: str, fault: str, reason: str, places: Places
) -> None:
    lake = places.lake
    before, opened = files_of(lake), [entry.path for entry in lake.zone("open").list()]
    statuses, made = checks_and_materializations(places, asset)
    known = json.loads(places.winnow("rejected", "list", "--json"))
    printed = materialize(places, asset, fault, code=1)
    assert files_of(lake) == before
    assert [entry.path for entry in lake.zone("open").list()] == opened
    with PlainDuckDB(lake) as reader:
        assert reader.partitions("sanitized")["only"].total() == 30
    failed = AssetCheckExecutionRecordStatus.FAILED.value
    assert checks_and_materializations(places, asset) == ([failed, *statuses], made)

    (listed,) = [r for r in json.loads(places.winnow("rejected", "list", "--json")) if r not in known]
    assert (listed["table"], listed["source"]) == (asset, "only")
    assert any(reason in failure for failure in listed["failures"])
    shown = places.winnow("rejected", "show", listed["attempt"])
    assert reason in shown
    assert f"winnow rejected show {listed['attempt']}" in printed
    assert len(printed.splitlines()) == 1
    for said in (printed, shown, json.dumps(listed)):
        assert SECRETIVE not in said
    assert not list(lake.zone("restricted").list("_candidates"))


def test_the_next_good_candidate_is_published_and_the_rejected_one_stays_listed(places: Places) -> None:
    before = files_of(places.lake)
    materialize(places, "sanitized", "unknown-kind", code=1)
    listed = json.loads(places.winnow("rejected", "list", "--json"))
    assert materialize(places, "sanitized", "harmless") == ""
    assert rewritten(before, files_of(places.lake)) >= {("sanitized", "only")}
    statuses, _ = checks_and_materializations(places, "sanitized")
    assert statuses[0] == AssetCheckExecutionRecordStatus.SUCCEEDED.value
    assert json.loads(places.winnow("rejected", "list", "--json")) == listed
