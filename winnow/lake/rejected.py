"""Candidates that failed their audit, kept in the restricted zone with the reasons."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from winnow.core.errors import AuditError, DataError, near_miss
from winnow.lake.zone import Zone

if TYPE_CHECKING:
    from winnow.lake.audit import AuditReport
    from winnow.lake.candidate import Candidate
    from winnow.lake.lake import Lake

REJECTED = "rejected"
REASONS = "reasons.json"


@dataclass(frozen=True)
class Rejected:
    """One rejected candidate: where it was going, when and why it failed. Holds no text of its rows.

    `final` are those of the failures that nobody may override; None where an older version did not say.
    """

    table: str
    source: str
    attempt: str
    when: str
    failures: tuple[str, ...]
    path: str
    final: tuple[str, ...] | None = None


def reject(candidate: "Candidate", report: "AuditReport") -> str:
    """Moves a candidate that failed its audit under `rejected/`; returns its folder there."""
    target = f"{REJECTED}/{candidate.contract.table}/{candidate.source}/{candidate.attempt}"
    for entry in candidate.zone.list(candidate.folder):
        name = entry.path.removeprefix(f"{candidate.folder}/")
        candidate.zone.rename(entry.path, f"{target}/{name}")
    write_reasons(candidate, report, target, datetime.now(UTC).isoformat(timespec="seconds"))
    return target


def write_reasons(candidate: "Candidate", report: "AuditReport", folder: str, when: str) -> None:
    """Says in the folder of a rejected candidate why it was rejected, in place of what was said before."""
    reasons = {
        "table": candidate.contract.table,
        "source": candidate.source,
        "attempt": candidate.attempt,
        "when": when,
        "failures": list(report.failures),
        "final": list(report.final),
    }
    candidate.zone.put(f"{folder}/{REASONS}", json.dumps(reasons, indent=1).encode())


def audit_error(candidate: "Candidate", report: "AuditReport", folder: str) -> AuditError:
    """The error to raise once the candidate lies under `rejected/`."""
    more = f" and {len(report.failures) - 1} more" if len(report.failures) > 1 else ""
    return AuditError(
        f"{candidate.contract.table}/{candidate.source} failed its audit: {report.failures[0]}{more}. "
        f"The last good partition stays; see `winnow rejected show {candidate.attempt}`.",
        folder,
        report.failures,
    )


def list_rejected(lake: "Lake") -> list[Rejected]:
    """Every rejected candidate, oldest first."""
    return sorted(_all(lake.zone("restricted")), key=lambda found: (found.when, found.path))


def show_rejected(lake: "Lake", attempt: str) -> tuple[Rejected, dict[str, Any]]:
    """A rejected candidate, by attempt or folder, and its manifest. Raises DataError when there is none."""
    attempt = attempt.rstrip("/").rpartition("/")[2]
    known = {found.attempt: found for found in list_rejected(lake)}
    if attempt not in known:
        raise DataError(
            f"No rejected candidate `{attempt}`.{near_miss(attempt, known)} See `winnow rejected list`."
        )
    found = known[attempt]
    manifest: dict[str, Any] = json.loads(lake.zone("restricted").read_bytes(f"{found.path}/manifest.json"))
    return found, manifest


def _all(zone: Zone) -> Iterator[Rejected]:
    for entry in zone.list(REJECTED):
        folder, _, name = entry.path.rpartition("/")
        if name == REASONS:
            reasons = json.loads(zone.read_bytes(entry.path))
            failures, final = tuple(reasons.pop("failures")), reasons.pop("final", None)
            yield Rejected(
                **reasons, failures=failures, path=folder, final=None if final is None else tuple(final)
            )
