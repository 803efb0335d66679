"""What a materialization says in Dagster: counts, schema, versions and lineage."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from schemas.contract import Contract
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake, PartitionState

_STAGE_OF = {layer: stage for stage, layer in LAYERS.items()}
_OUT_OF_PAYLOAD = ("kind", "messages", "tools", "language", "content_hash")


@dataclass(frozen=True)
class LayerReport:
    """One partition after a run: what stands in the lake, and what the run did for it."""

    contract: Contract
    state: PartitionState
    written: bool
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


def column_lineage(contract: Contract, upstream: Contract) -> dg.TableColumnLineage:
    """Each column with the column it comes from: the one of its name, or the payload of a raw record."""
    found = {name: name for name in contract.names if name in upstream.names}
    if "payload" in upstream.names:
        found |= {name: "payload" for name in _OUT_OF_PAYLOAD if name in contract.names}
    if "parent_row_id" in contract.names and "parent_row_id" not in upstream.names:
        found["parent_row_id"] = "row_id"
    return dg.TableColumnLineage(
        {
            name: [dg.TableColumnDep(asset_key=dg.AssetKey(upstream.table), column_name=source)]
            for name, source in found.items()
        }
    )


def funnel(lake: Lake, report: LayerReport) -> dict[str, int]:
    """Rows and tokens that the partition's stage took in, kept, dropped, parked and redacted, as published.

    Kept are all rows that went on, redacted ones included. Tokens are there from the stage on that counts them.
    """
    source, stage = report.state.source, _STAGE_OF.get(report.contract.table)
    if stage is None:
        return {}
    rows: Counter[str] = Counter(dict.fromkeys(("in", "keep", "drop", "park", "redact"), 0))
    tokens: Counter[str] = Counter()
    for batch in lake.scan("stage_counts", [f"{stage}/{source}"]):
        for counted in batch.to_pylist():
            if counted["stage_version"] != report.state.stage_version:
                continue
            rows[counted["decision"]] += counted["rows"]
            if counted["tokens"] is not None:
                tokens[counted["decision"]] += counted["tokens"]
    for counts in (rows, tokens):
        counts["keep"] += counts["redact"]
    told = {f"rows_{decision}": count for decision, count in rows.items()}
    if "in" in tokens:
        told |= {f"tokens_{decision}": tokens[decision] for decision in ("in", "keep", "drop")}
    return told


def table_metadata(contract: Contract) -> dict[str, Any]:
    """What Dagster shows of a table that nobody has materialized yet."""
    return {"dagster/table_name": f"lake.{contract.table}", "dagster/column_schema": column_schema(contract)}


def materialized(
    lake: Lake, report: LayerReport, counts: Mapping[str, int], upstream: Contract | None = None
) -> dg.MaterializeResult[Any]:
    """The result of a layer asset. Numbers are plain, so that the UI plots them over partitions."""
    contract, state = report.contract, report.state
    partitions = lake.head(contract.table).partitions.values()
    metadata: dict[str, Any] = {
        **table_metadata(contract),
        "dagster/row_count": sum(partition.rows for partition in partitions),
        "dagster/partition_row_count": state.rows,
        "dagster/uri": lake.zone(contract.zone).uri(f"{contract.table}/source={state.source}"),
        "skipped": not report.written,
        "stage_version": state.stage_version,
        **counts,
        **report.extra,
    }
    if upstream is not None:
        metadata["dagster/column_lineage"] = column_lineage(contract, upstream)
    if state.verdict_version is not None:
        metadata["verdict_version"] = state.verdict_version
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(state.data_version))


def summary(made: dg.AssetMaterialization) -> str:
    """An asset and what came of it, in a few words: `curated 145 rows`, `raw unchanged`."""
    name, metadata = made.asset_key.to_user_string(), made.metadata
    if "skipped" in metadata and metadata["skipped"].value:
        return f"{name} unchanged"
    rows = metadata.get("dagster/partition_row_count") or metadata.get("dagster/row_count")
    if rows is not None:
        return f"{name} {rows.value:,} rows"
    for key in ("release", "checkpoint_id", "verdict", "items"):
        if key in metadata:
            return f"{name} {key.removesuffix('_id')} {metadata[key].value}"
    return name
