"""`winnow status` and `winnow sweep`: what lies in the lake, and what nothing names any more."""

from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.cli.printing import echo_json, echo_lines, table

if TYPE_CHECKING:
    from winnow.lake.lake import Lake
    from winnow.lake.status import TableStatus

_LISTED = 20


def status(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """What lies in the lake now: tables, releases, checkpoints, aliases, rejected and accepted candidates.

    A table is stale when a partition of it was not built from what lies in the layer before it now; each such
    partition is listed with what to materialize.

    \b
    Example:
      winnow status
      winnow status --json | jq '.tables[] | select(.stale != [])'
    """
    from winnow.lake.lake import Lake
    from winnow.lake.status import table_status

    lake = Lake.open()
    tables = table_status(lake)
    rest = {
        "releases": _releases(lake),
        "checkpoints": _checkpoints(lake),
        "aliases": _aliases(lake),
        "rejected": _rejected(lake),
        "accepted": _accepted(lake),
    }
    roots = {"open_root": lake.settings.open.root, "restricted_root": lake.settings.restricted.root}
    if as_json:
        echo_json({**roots, "tables": [asdict(t) for t in tables], **rest})
        return
    echo_lines(table(["root", "place"], roots.items(), shown=None))
    if not any(rest.values()) and all(t.version is None and t.fault is None for t in tables):
        typer.echo("\nThe lake is empty. Fill it: winnow demo, or winnow backfill for your own sources.")
        return
    echo_lines(_told(tables, rest))


def _told(tables: list["TableStatus"], rest: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    yield ""
    there = [t for t in tables if t.version is not None or t.fault]
    yield from table(
        ["table", "zone", "version", "partitions", "rows", "state"],
        [(t.table, t.zone, t.version, t.partitions, t.rows, _state(t)) for t in there],
    )
    for heading, lines in (
        ("stale", [said for t in there for said in t.stale]),
        ("not readable", [f"{t.table}: {t.fault}" for t in there if t.fault]),
    ):
        if lines:
            yield f"\n{heading}"
            yield from (f"  {line}" for line in lines)
    for heading, rows in rest.items():
        yield f"\n{heading}"
        if rows:
            yield from (f"  {line}" for line in table(list(rows[0]), [list(r.values()) for r in rows]))
        else:
            yield "  none"


def _state(t: "TableStatus") -> str:
    if t.fault:
        return "not readable"
    return f"stale ({len(t.stale)})" if t.stale else "ok"


def _releases(lake: "Lake") -> list[dict[str, Any]]:
    from winnow.lake.release import list_releases, load_release

    found = [load_release(lake, name) for name in list_releases(lake)]
    return [
        {
            "release": release.name,
            "created_at": release.created_at,
            "rows": sum(t.rows for t in release.tables.values()),
            "tables": ", ".join(release.tables),
        }
        for release in found
    ]


def _checkpoints(lake: "Lake") -> list[dict[str, Any]]:
    names = ["model", "checkpoint_id", "release", "rows", "steps", "final_loss", "created_at"]
    found = [row for batch in lake.scan("checkpoints", columns=names) for row in batch.to_pylist()]
    return sorted(found, key=lambda row: (row["model"], row["created_at"], row["checkpoint_id"]))


def _aliases(lake: "Lake") -> list[dict[str, Any]]:
    from winnow.lake.registry import aliases

    return [
        {"model": model, **asdict(alias)}
        for model in sorted(lake.head("registry").partitions)
        for _, alias in sorted(aliases(lake, model).items())
    ]


def _rejected(lake: "Lake") -> list[dict[str, Any]]:
    from winnow.core.errors import WinnowError
    from winnow.lake.rejected import list_rejected

    try:
        found = list_rejected(lake)
    except WinnowError:  # the tables of that zone say what is the matter
        return []
    return [
        {"attempt": r.attempt, "table": r.table, "source": r.source, "when": r.when, "why": r.failures[0]}
        for r in found
    ]


def _accepted(lake: "Lake") -> list[dict[str, Any]]:
    """Partitions that hold rows which failed their audit, because a person let them through."""
    from winnow.lake.acceptances import acceptances

    return [
        {
            "table": a.layer,
            "source": a.source,
            "attempt": a.attempt,
            "accepted_at": a.accepted_at,
            "who": a.who,
            "overridden": ", ".join(a.checks),
            "why": a.why,
        }
        for a in acceptances(lake)
        if a.in_force is not False
    ]


def sweep(
    grace: Annotated[
        float, typer.Option(min=0, help="Hours for which what nothing names is left alone.")
    ] = 24.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would go, and remove nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Remove files that no table, release or verdict version names, and abandoned candidates.

    They are left by crashes, lost races and replaced versions. Rejected candidates and releases stay. With a
    short grace a reader or writer at work may lose its files: run it so only while nothing else does.

    \b
    Example:
      winnow sweep --dry-run
      winnow sweep --grace 48
    """
    from datetime import timedelta

    from winnow.lake.lake import Lake
    from winnow.lake.sweep import Swept
    from winnow.lake.sweep import sweep as remove

    report = remove(Lake.open(), timedelta(hours=grace), dry_run)
    if as_json:
        files = [asdict(file) for file in report.files]
        echo_json({"dry_run": dry_run, "files": files, "bytes": report.bytes})
        return
    if report.files:
        names = [f.name for f in fields(Swept)]
        shown = [[getattr(f, n) for n in names] for f in report.files[:_LISTED]]
        echo_lines(table(names, shown, shown=None))
    if len(report.files) > _LISTED:
        typer.echo(f"and {len(report.files) - _LISTED:,} more; --json lists all")
    said = "would be removed" if dry_run else "removed"
    typer.echo(f"{len(report.files):,} files, {report.bytes / 1e6:,.1f} MB {said}")
