"""A rejected candidate published after all: because it passes its audit now, or because a person answers for it."""

import getpass
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from schemas.acceptances import ACCEPTANCES
from winnow.core.errors import ConfigError, DataError, WinnowError
from winnow.lake.audit import AuditReport, audit
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.names import parse_part
from winnow.lake.publish import Published, publish_audited
from winnow.lake.records import replace_rows
from winnow.lake.rejected import Rejected, audit_error, write_reasons
from winnow.lake.reopened import reopen


@dataclass(frozen=True)
class Acceptance:
    """One override: who let which candidate through, and whether its rows are what the layer holds now.

    `in_force` is None where the layer cannot be read by this user.
    """

    layer: str
    source: str
    attempt: str
    stage_version: str
    checks: tuple[str, ...]
    failures: tuple[str, ...]
    why: str
    who: str
    accepted_at: datetime
    in_force: bool | None


def retry(lake: Lake, attempt: str) -> tuple[Rejected, Published]:
    """Audits a rejected candidate again, and publishes it when it passes; its folder is gone then.

    Raises AuditError with the reasons of today when it does not, and DataError as `reopen` does.
    """
    found, candidate = reopen(lake, attempt)
    report = audit(candidate)
    if not report.passed:
        if report.failures != found.failures:
            write_reasons(candidate, report, found.path, found.when)
        raise audit_error(candidate, report, found.path)
    return found, publish_audited(lake, candidate)


def accept(lake: Lake, attempt: str, why: str, who: str | None = None) -> tuple[Acceptance, Published]:
    """Publishes a rejected candidate although invariants of its contract do not hold.

    Who, when, why and the checks overridden are recorded before it is published, in `acceptances` and in the
    commit that publishes it.

    Raises:
        ConfigError: there is no reason.
        DataError: it fails something that nobody may override, it passes now, or as `reopen` says.
    """
    if not why.strip():
        raise ConfigError("A failed audit is overridden only for a reason. Give one: --reason TEXT.")
    found, candidate = reopen(lake, attempt)
    report = audit(candidate)
    _require_overridable(found, report)
    row = _record(candidate, report, why.strip(), who or getpass.getuser())
    schema = pa.schema([field for field in ACCEPTANCES.arrow_schema() if field.name != "source"])
    replace_rows(lake, ACCEPTANCES, candidate.source, pa.Table.from_pylist([row], schema=schema))
    told = {name: row[name] for name in ("attempt", "checks", "why", "who")}
    candidate.acceptance = json.dumps({**told, "at": row["accepted_at"].isoformat()}, ensure_ascii=False)
    published = publish_audited(lake, candidate)
    accepted = next(a for a in acceptances(lake) if (a.layer, a.attempt) == (found.table, found.attempt))
    return accepted, published


def _require_overridable(found: Rejected, report: AuditReport) -> None:
    if report.passed:
        raise DataError(
            f"{found.attempt} passes its audit now, so that there is nothing to override: "
            f"winnow rejected retry {found.attempt}"
        )
    if report.final:
        more = f" (and {len(report.final) - 1} more)" if len(report.final) > 1 else ""
        raise DataError(
            f"{found.attempt} cannot be accepted: {report.final[0]}{more}. Nobody may override that; mend the stage "
            f"or its input, then materialize asset `{found.table}` for source {found.source}."
        )


def _record(candidate: Candidate, report: AuditReport, why: str, who: str) -> dict[str, Any]:
    checks = sorted(report.overridable)
    return {
        "layer": candidate.contract.table,
        "attempt": candidate.attempt,
        "stage": candidate.stage,
        "stage_version": candidate.stage_version,
        "data_version": candidate.data_version,
        "checks": checks,
        "failures": [report.overridable[name] for name in checks],
        "why": why,
        "who": who,
        "accepted_at": datetime.now(UTC),
    }


def acceptances(lake: Lake) -> list[Acceptance]:
    """Every recorded override, oldest first."""
    rows = [row for batch in lake.scan(ACCEPTANCES.table) for row in batch.to_pylist()]
    attempts = {layer: _attempts(lake, layer) for layer in {str(row["layer"]) for row in rows}}
    found = [_acceptance(row, attempts[row["layer"]]) for row in rows]
    return sorted(found, key=lambda a: (a.accepted_at, a.layer, a.source))


def _acceptance(row: dict[str, Any], attempts: dict[str, str] | None) -> Acceptance:
    in_force = None if attempts is None else attempts.get(row["source"]) == row["attempt"]
    plain = {name: row[name] for name in ("layer", "source", "attempt", "stage_version", "why", "who")}
    return Acceptance(
        **plain,
        checks=tuple(row["checks"]),
        failures=tuple(row["failures"]),
        accepted_at=row["accepted_at"],
        in_force=in_force,
    )


def _attempts(lake: Lake, layer: str) -> dict[str, str] | None:
    """By source the attempt whose files a layer holds now."""
    try:
        return dict(_named(lake, layer))
    except WinnowError:
        return None  # a layer of the restricted zone, and this user has no key to it


def _named(lake: Lake, layer: str) -> Iterator[tuple[str, str]]:
    for source, state in lake.head(layer).partitions.items():
        part = parse_part(state.files[0].path.rpartition("/")[2])
        if part is not None:
            yield source, part.nonce
