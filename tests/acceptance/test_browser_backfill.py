"""A person at the Dagster UI: sees the graph, backfills three of four sources, and does it again."""

from collections.abc import Iterator

import pytest
from backfill_runs import LAYERS, Backfill, waves
from dagster._core.execution.backfill import BulkActionStatus
from dagster_ui import CHROMIUM, DagsterUI, choose_assets, chromium_page, launch_backfill, watch_backfill
from demo_run import PROJECT, Places
from lake_laws import accounts_for_every_row, files_of
from written_sources import WrittenSources, originals

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed; `make browser` says how"),
]
CHOSEN = ["alpha", "beta", "gamma"]
CURATION = '+key:"curated"'


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    root = tmp_path_factory.mktemp("browser")
    written = WrittenSources(root / "sources")
    for name in (*CHOSEN, "delta"):
        written.put(name, originals(name, 40))
    settings = {
        "WINNOW_SOURCES": str(written.path),
        "WINNOW_CONFIG": str(PROJECT / "assets/profiles/tiny.yaml"),
    }
    return Places.in_folder(root, **settings)


@pytest.fixture(scope="module")
def ui(places: Places) -> Iterator[DagsterUI]:
    with DagsterUI(places.environment()) as running:
        yield running


def backfilled(places: Places, ui: DagsterUI) -> Backfill:
    """What a backfill did that was launched in the browser and watched there until it had ended."""
    with chromium_page() as page:
        choose_assets(page, ui, CURATION)
        backfill_id = launch_backfill(page, CHOSEN)
        watch_backfill(page, ui, backfill_id, assets=len(LAYERS) + 1, seconds=280)
    return Backfill.finished(places.root / "dagster", backfill_id, seconds=60)


def test_a_backfill_from_the_ui_and_the_same_again(places: Places, ui: DagsterUI):
    first = backfilled(places, ui)
    assert first.status == BulkActionStatus.COMPLETED_SUCCESS
    assert first.runs == waves(CHOSEN)
    assert set(first.skipped.values()) == {False}
    assert [sorted(places.lake.head(layer).partitions) for layer in LAYERS] == [CHOSEN] * len(LAYERS)
    accounts_for_every_row(places.lake)
    files = files_of(places.lake)

    again = backfilled(places, ui)
    assert again.status == BulkActionStatus.COMPLETED_SUCCESS
    assert again.runs == waves(CHOSEN)
    assert len(again.skipped) == len(LAYERS) * len(CHOSEN) + 1
    assert set(again.skipped.values()) == {True}
    assert files_of(places.lake) == files


def test_the_command_line_uses_the_daemon_that_runs(places: Places, ui: DagsterUI):
    printed = places.winnow("backfill", "delta")
    assert "starting one" not in printed
    assert places.lake.head("curated").partitions["delta"].rows == 40
