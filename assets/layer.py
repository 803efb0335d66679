"""What every layer asset shares: how it is declared, and how it is built, checked and reported."""

from collections.abc import Callable
from typing import Any, TypedDict

import dagster as dg

from assets.build import Work
from assets.checks import AUDIT, AssetEvents, audit_spec, explained
from assets.partitions import SOURCES
from assets.reporting import LayerReport, funnel, materialized, table_metadata
from assets.resources import LakeResource
from schemas.contract import Contract


class LayerOptions(TypedDict):
    """Arguments of `dg.asset` that follow from a contract."""

    partitions_def: dg.PartitionsDefinition[str]
    group_name: str
    kinds: set[str]
    owners: list[str]
    check_specs: list[dg.AssetCheckSpec]
    metadata: dict[str, Any]
    code_version: str


def layer(contract: Contract, code_version: str, engine: str = "python") -> LayerOptions:
    """A table partitioned by source, in the group of its name, with its columns and its blocking audit."""
    return {
        "partitions_def": SOURCES,
        "group_name": contract.table,
        "kinds": {engine, "deltalake"},
        "owners": ["team:data"],
        "check_specs": [audit_spec(contract.table)],
        "metadata": table_metadata(contract),
        "code_version": code_version,
    }


def build_layer(
    context: dg.AssetExecutionContext,
    lake: LakeResource,
    build: Callable[[Work], LayerReport],
    upstream: Contract | None = None,
) -> AssetEvents:
    """Builds the partition of the run's source; its check and its materialization carry the funnel's numbers."""

    def work() -> tuple[dict[str, int], dg.MaterializeResult[Any]]:
        opened = lake.open()
        report = build(Work(opened, context.partition_key, lake.worker_count(), context.log.info))
        counts = funnel(opened, report)
        return counts, materialized(opened, report, counts, upstream)

    table = context.asset_key.to_user_string()
    counts, result = yield from explained(work, table)
    yield dg.AssetCheckResult(asset_key=table, check_name=AUDIT, passed=True, metadata=counts)
    yield result
