"""sft_train and sft_heldout: what is trained on, and what is evaluated on, sharing nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa

from assets.build import Say, Work, build_row_stage, unchanged
from assets.checks import AUDIT, AssetEvents, audit_spec, explained
from assets.partitions import declared_sources
from assets.reporting import LayerReport, column_lineage, funnel, table_metadata
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.contract import Contract
from schemas.rows import CURATED, SFT_HELDOUT, SFT_TRAIN
from winnow.core.errors import DataError
from winnow.core.identity import digest, stage_version
from winnow.curation.split import CODE_VERSION, SplitStage, build_heldout_index
from winnow.lake.lake import Lake, TableHead
from winnow.lake.publish import publish
from winnow.lake.token_index import TokenIndex

SPLIT = "split"
"""The input that both sets share in all partitions: which rows are held out, by content."""


def build_train_sets(lake: Lake, workers: int, say: Say) -> dict[str, list[LayerReport]]:
    """Both sets for every published source, partition by partition; equal partitions are left alone."""
    head = lake.head("curated")
    order = [source.id for source in declared_sources().sources if source.id in head.partitions]
    if not order:
        raise DataError(
            "curated has no partition yet: materialize asset `curated` for at least one source first"
        )

    def scan(columns: Sequence[str]) -> Iterable[pa.RecordBatch]:
        return lake.scan("curated", order, list(columns), head=head)

    config = winnow_config().split
    index = build_heldout_index(scan, config)
    stage = SplitStage(config, index)
    reports: dict[str, list[LayerReport]] = {"sft_train": [], "sft_heldout": []}
    for source in order:
        work = Work(lake, source, workers, say)
        tokens = TokenIndex(lake, source)
        reports["sft_heldout"].append(_build_heldout(work, stage, head))
        reports["sft_train"].append(
            build_row_stage(work, stage, "curated", SFT_TRAIN, tokens.of, head=head, shared=_split(stage))
        )
    return reports


def _build_heldout(work: Work, stage: SplitStage, curated: TableHead) -> LayerReport:
    inputs = {f"curated/{work.source}": curated.partitions[work.source].data_version, **_split(stage)}
    version = stage_version("heldout", CODE_VERSION, dict(stage.identity()), inputs)
    if skipped := unchanged(work.lake, SFT_HELDOUT, work.source, version):
        return skipped
    candidate = work.lake.candidate(
        SFT_HELDOUT, work.source, "split", version, CODE_VERSION, inputs, accounted=False
    )
    with candidate:
        for batch in work.lake.scan("curated", [work.source], head=curated):
            candidate.write_rows(stage.heldout_rows(batch))
    published = publish(work.lake, candidate)
    return LayerReport(SFT_HELDOUT, published.state, published.written)


def _split(stage: SplitStage) -> dict[str, str]:
    return {SPLIT: digest(stage.identity())}


def check_one_split(lake: Lake) -> None:
    """Raises DataError where a run that was killed left partitions of two splits side by side."""
    drawn: dict[str | None, str] = {}
    for contract in _SETS:
        for state in lake.head(contract.table).partitions.values():
            if state.rows:
                drawn.setdefault(state.inputs().get(SPLIT), f"{contract.table}/{state.source}")
    if len(drawn) > 1:
        raise DataError(
            f"{' and '.join(sorted(drawn.values()))} were drawn by different splits, so that rows held out by one "
            "may be trained on by the other: materialize assets `sft_train` and `sft_heldout` again, "
            "and `dedup_verdicts` before them if a source was removed"
        )


def check_pairs_split(lake: Lake) -> None:
    """Raises DataError where pairs of one distribution are on both sides, or one to train on is held out elsewhere."""
    heldout = {
        r for b in lake.scan("sft_heldout", columns=["row_id"]) for r in b.column("row_id").to_pylist()
    }
    sides: dict[str, set[str]] = {}
    leaked = 0
    for batch in lake.scan("preference_pairs", columns=["parent_row_id", "distribution", "split"]):
        for pair in batch.to_pylist():
            sides.setdefault(pair["distribution"], set()).add(pair["split"])
            leaked += pair["split"] == "train" and pair["parent_row_id"] in heldout
    torn = sorted(name for name, found in sides.items() if len(found) > 1)
    if torn or leaked:
        what = (
            f"pairs of {torn[0]} are on both sides"
            if torn
            else f"{leaked} pairs to train on are held-out rows"
        )
        raise DataError(
            f"preference_pairs were drawn by another split than the sets beside them ({what}): "
            "materialize assets `sft_train`, `sft_heldout` and `preference_pairs` again"
        )


def _result(lake: Lake, contract: Contract, reports: list[LayerReport]) -> dg.MaterializeResult[Any]:
    versions = {report.state.source: report.state.data_version for report in reports}
    by_source = {report.state.source: report.state.rows for report in reports}
    counts: Counter[str] = Counter()
    for report in reports:
        counts.update(funnel(lake, report))
    return dg.MaterializeResult(
        asset_key=contract.table,
        metadata={
            **table_metadata(contract),
            "dagster/row_count": sum(by_source.values()),
            "dagster/column_lineage": column_lineage(contract, CURATED),
            "dagster/uri": lake.zone(contract.zone).uri(contract.table),
            "rows_by_source": by_source,
            "skipped": not any(report.written for report in reports),
            "partitions_written": sum(report.written for report in reports),
            **counts,
        },
        data_version=dg.DataVersion(digest(versions)),
        check_results=[dg.AssetCheckResult(asset_key=contract.table, check_name=AUDIT, passed=True)],
    )


_SETS = (SFT_TRAIN, SFT_HELDOUT)
_SPECS = [
    dg.AssetSpec(
        contract.table,
        deps=["curated"],
        description=contract.description,
        group_name="train_sets",
        kinds={"python", "deltalake"},
        owners=["team:data"],
        metadata=table_metadata(contract),
        code_version=CODE_VERSION,
    )
    for contract in _SETS
]


@dg.multi_asset(
    name="train_sets", specs=_SPECS, check_specs=[audit_spec(contract.table) for contract in _SETS]
)
def train_sets(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """The curated rows in two sets that share no near copy: to train on, and to evaluate on."""

    def work() -> list[dg.MaterializeResult[Any]]:
        opened = lake.open()
        reports = build_train_sets(opened, lake.worker_count(), context.log.info)
        return [_result(opened, contract, reports[contract.table]) for contract in _SETS]

    yield from (yield from explained(work, *(contract.table for contract in _SETS)))
