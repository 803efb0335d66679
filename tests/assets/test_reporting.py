"""What a materialization says in Dagster."""

from pathlib import Path

import dagster as dg
import pytest
from small_lake import grown

from assets.reporting import LayerReport, funnel, materialized, summary
from schemas.rows import CONVERSATIONS, CURATED, DECONTAMINATED, DEDUPED, SANITIZED
from winnow.lake.lake import Lake

LAYERS = {
    contract.table: contract for contract in (CONVERSATIONS, SANITIZED, DEDUPED, DECONTAMINATED, CURATED)
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return grown(tmp_path_factory.mktemp("reporting"))


def reports(lake: Lake, layer: str, written: bool) -> list[LayerReport]:
    states = lake.head(layer).partitions.values()
    return [LayerReport(LAYERS[layer], state, written) for state in states]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("written", [True, False])
def test_the_numbers_reconcile_whether_written_now_or_left_alone(lake: Lake, layer: str, written: bool):
    for report in reports(lake, layer, written):
        told = funnel(lake, report)
        assert told["rows_in"] == told["rows_keep"] + told["rows_drop"] + told["rows_park"] > 0
        assert told["rows_keep"] == report.state.rows


def test_every_number_is_plain_so_that_it_is_plotted_over_partitions(lake: Lake):
    for report in reports(lake, "deduped", written=False):
        metadata = materialized(lake, report, funnel(lake, report), SANITIZED).metadata
        assert metadata["dagster/partition_row_count"] == report.state.rows
        assert metadata["dagster/row_count"] == sum(r.state.rows for r in reports(lake, "deduped", False))
        assert {type(value) for name, value in metadata.items() if name.startswith("rows_")} == {int}


def test_counts_of_another_version_are_not_told(lake: Lake, tmp_path: Path):
    (report, *_) = reports(lake, "curated", written=True)
    other = LayerReport(CURATED, lake.head("deduped").partitions[report.state.source], written=True)
    assert funnel(lake, other)["rows_in"] == 0


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"skipped": True, "dagster/row_count": 4}, "layer unchanged"),
        ({"skipped": False, "dagster/partition_row_count": 1200, "dagster/row_count": 9}, "layer 1,200 rows"),
        ({"skipped": False, "dagster/partition_row_count": 0, "dagster/row_count": 9}, "layer 0 rows"),
        ({"release": "r1"}, "layer release r1"),
        ({}, "layer"),
    ],
)
def test_a_materialization_in_a_few_words(metadata: dict[str, object], words: str):
    assert summary(dg.AssetMaterialization("layer", metadata=metadata)) == words
