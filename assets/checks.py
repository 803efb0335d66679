"""The audit of a layer as Dagster shows it; what protects the head is the audit itself, before the commit."""

from collections.abc import Callable, Iterator
from typing import Any

import dagster as dg

from assets.reporting import LayerReport, materialized
from winnow.core.errors import AuditError, WinnowError
from winnow.lake.lake import Lake

AUDIT = "audit"
AUDIT_DESCRIPTION = (
    "Footers against the contract, keys unique, invariants of schemas/, "
    "rows in = kept + dropped + parked; run on the candidate before anything is published."
)

LayerEvents = Iterator[dg.AssetCheckResult | dg.MaterializeResult[Any]]


def audit_spec(asset: str) -> dg.AssetCheckSpec:
    """The blocking check that every layer carries."""
    return dg.AssetCheckSpec(AUDIT, asset=asset, blocking=True, description=AUDIT_DESCRIPTION)


def audited(
    asset: str, lake: Lake, build: Callable[[], LayerReport], upstream: str | None = None
) -> LayerEvents:
    """Builds a layer. A failed audit leaves the failed check in Dagster, and the run fails with one line."""
    try:
        report = build()
    except AuditError as error:
        yield dg.AssetCheckResult(
            asset_key=asset,
            check_name=AUDIT,
            passed=False,
            metadata={"failures": list(error.failures), "rejected": error.rejected},
        )
        raise dg.Failure(description=str(error), allow_retries=False) from None
    except WinnowError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from None
    counts = {f"rows_{name}": count for name, count in report.counts.items()}
    check = dg.AssetCheckResult(asset_key=asset, check_name=AUDIT, passed=True, metadata=counts)
    yield materialized(lake, report, upstream, [check])
