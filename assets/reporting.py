"""What a materialization says in Dagster: counts, schema, versions and lineage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from schemas.contract import Contract
from winnow.lake.lake import Lake, PartitionState

_ROW_LINEAGE = ("row_id", "kind", "messages", "tools", "language", "license", "content_hash", "meta")


@dataclass(frozen=True)
class LayerReport:
    """One partition after a run: what stands in the lake, and what the run did for it."""

    contract: Contract
    state: PartitionState
    written: bool
    counts: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


def column_schema(contract: Contract) -> dg.TableSchema:
    """The contract as Dagster shows it."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                c.name,
                type=str(c.type),
                description=c.description,
                constraints=dg.TableColumnConstraints(nullable=c.nullable, unique=contract.key == (c.name,)),
            )
            for c in contract.columns
        ]
    )


def column_lineage(contract: Contract, upstream: str) -> dg.TableColumnLineage:
    """Each column of the row form comes from the same column of the layer before."""
    return dg.TableColumnLineage(
        {
            c.name: [dg.TableColumnDep(asset_key=dg.AssetKey(upstream), column_name=c.name)]
            for c in contract.columns
            if c.name in _ROW_LINEAGE
        }
    )


def materialized(
    lake: Lake,
    report: LayerReport,
    upstream: str | None = None,
    checks: list[dg.AssetCheckResult] | None = None,
) -> dg.MaterializeResult[Any]:
    """The result of a layer asset. Numbers are plain, so that the UI plots them over partitions."""
    contract, state = report.contract, report.state
    metadata: dict[str, Any] = {
        "dagster/row_count": state.rows,
        "dagster/column_schema": column_schema(contract),
        "dagster/relation_identifier": f"lake.{contract.table}",
        "dagster/uri": lake.zone(contract.zone).uri(f"{contract.table}/source={state.source}"),
        "skipped": not report.written,
        "stage_version": state.stage_version,
        **{f"rows_{name}": count for name, count in report.counts.items()},
        **report.extra,
    }
    if upstream:
        metadata["dagster/column_lineage"] = column_lineage(contract, upstream)
    if state.verdict_version is not None:
        metadata["verdict_version"] = state.verdict_version
    return dg.MaterializeResult(
        metadata=metadata, data_version=dg.DataVersion(state.data_version), check_results=checks or []
    )
