"""The audit of a layer as Dagster shows it; what protects the head is the audit itself, before the commit."""

import os
import sys
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

import dagster as dg

from winnow.core.call_stack import stacks, struck
from winnow.core.errors import AuditError, WinnowError

AUDIT = "audit"
AUDIT_DESCRIPTION = (
    "Footers against the contract, keys unique, invariants of schemas/, "
    "rows in = kept + dropped + parked; run on the candidate before anything is published."
)

AssetEvents = Iterator[dg.AssetCheckResult | dg.MaterializeResult[Any]]
T = TypeVar("T")


def audit_spec(asset: str) -> dg.AssetCheckSpec:
    """The blocking check that every layer carries."""
    return dg.AssetCheckSpec(AUDIT, asset=asset, blocking=True, description=AUDIT_DESCRIPTION)


def explained(work: Callable[[], T], *audited: str) -> Generator[dg.AssetCheckResult, None, T]:
    """What `work` returns; where it fails, the run fails with one line that says what to do.

    A failed audit leaves the failed check of each `audited` asset. Of an error that nobody foresaw only its kind
    and place reach Dagster, since its message may quote a row; WINNOW_DEBUG=1 lets it through.
    """
    vars(sys).pop("tracebacklimit", None)
    try:
        return work()
    except AuditError as error:
        failed: dict[str, Any] = {"failures": list(error.failures), "rejected": error.rejected}
        for asset in audited:
            yield dg.AssetCheckResult(asset_key=asset, check_name=AUDIT, passed=False, metadata=failed)
        reason, metadata = str(error), failed
    except WinnowError as error:
        reason, metadata = str(error), {}
    except Exception as error:
        if os.environ.get("WINNOW_DEBUG"):
            raise
        reason = f"internal error: {struck(error)}; WINNOW_DEBUG=1 shows its message"
        metadata = {"call_stack": dg.MetadataValue.md(f"```\n{stacks(error)}```")}
    # Dagster would print its own frames below the line
    sys.tracebacklimit = 0
    raise dg.Failure(reason, metadata, allow_retries=False)
