"""`winnow rejected`: candidates that failed their audit, and what may be done about each."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from winnow.cli.printing import echo_json, echo_lines, table

if TYPE_CHECKING:
    from winnow.lake.publish import Published
    from winnow.lake.rejected import Rejected


_Attempt = Annotated[str, typer.Argument(help="The attempt, as `winnow rejected list` names it.")]
rejected = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@rejected.callback()
def _rejected() -> None:
    """Candidates that failed their audit: the last good partition stayed, the candidate was set aside.

    Nothing of their rows is printed; their files lie in the restricted root. A candidate that passes now is
    published by `retry`; one that breaks an invariant that its contract lets a person override, by `accept`.

    \b
    Example:
      winnow rejected list
      winnow rejected show 0a1b2c3d
    """


@rejected.command("list")
def list_command(
    as_json: Annotated[bool, typer.Option("--json", help="A JSON list, for programs.")] = False,
) -> None:
    """Every rejected candidate, oldest first, with the first reason.

    \b
    Example:
      winnow rejected list
    """
    from winnow.lake.lake import Lake
    from winnow.lake.rejected import list_rejected

    found = list_rejected(Lake.open())
    if as_json:
        echo_json([asdict(candidate) for candidate in found])
    elif found:
        rows = [(r.attempt, r.table, r.source, r.when, _first(r)) for r in found]
        echo_lines(table(["attempt", "table", "source", "when", "why"], rows, shown=120))
    else:
        typer.echo("No candidate is rejected.")


def _first(candidate: "Rejected") -> str:
    more = f" (and {len(candidate.failures) - 1} more)" if len(candidate.failures) > 1 else ""
    return (candidate.failures[0] if candidate.failures else "no reason given") + more


@rejected.command("show")
def show_command(
    attempt: _Attempt,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Why one candidate was rejected, what it was made from, and where its files lie.

    \b
    Example:
      winnow rejected show 0a1b2c3d
    """
    from winnow.lake.lake import Lake
    from winnow.lake.rejected import show_rejected

    lake = Lake.open()
    found, manifest = show_rejected(lake, attempt)
    if as_json:
        echo_json({**asdict(found), "manifest": manifest})
        return
    typer.echo(f"{found.table}/{found.source}, attempt {found.attempt}, rejected {found.when}\n")
    for failure in found.failures:
        typer.echo(f"  {failure}")
    typer.echo(f"\nstage    {manifest['stage']}, code version {manifest['code_version']}")
    for name, version in manifest["inputs"].items():
        typer.echo(f"input    {name} at {version}")
    typer.echo(f"rows     {manifest['rows_in']:,} in, {manifest['rows']:,} kept")
    for decision, rule, rows, _ in manifest["counts"]:
        if decision not in ("in", "keep") or rule:
            typer.echo(f"         {rows:,} {decision} {rule}")
    typer.echo(f"files    {lake.zone('restricted').uri(found.path)}")
    echo_lines(_next(found))


def _next(found: "Rejected") -> list[str]:
    lines = [f"next     mend the stage or its input, then materialize {found.table} for {found.source}"]
    lines.append(f"         or audit the same files again: winnow rejected retry {found.attempt}")
    if found.final == ():
        lines.append(f"         or answer for it: winnow rejected accept {found.attempt} --reason TEXT")
    return lines


@rejected.command("retry")
def retry_command(
    attempt: _Attempt, as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False
) -> None:
    """Audit the same files again, and publish them when they pass now.

    For a contract, an audit or a disk that was at fault, and not the rows. Refused when the input or the
    partition has moved since: then the stage must run again.

    \b
    Example:
      winnow rejected retry 0a1b2c3d
    """
    from winnow.lake.acceptances import retry
    from winnow.lake.lake import Lake

    found, published = retry(Lake.open(), attempt)
    if as_json:
        echo_json({**_published(found.table, found.source, found.attempt, published), "overridden": []})
    else:
        typer.echo(f"{found.attempt} passes its audit: {_said(found.table, found.source, published)}")


@rejected.command("accept")
def accept_command(
    attempt: _Attempt,
    reason: Annotated[
        str,
        typer.Option("--reason", "--why", help="Why these rows may pass; recorded, and shown to everybody."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Publish a candidate although checks of its audit fail, and answer for it.

    Only invariants that the contract calls overridable may fail: never columns, types, nulls, keys or the
    account of rows, and never a candidate whose input has moved. Who, when, why and which checks is recorded
    first; see `winnow status` and the view `acceptances`. The layers after it are audited as ever.

    \b
    Example:
      winnow rejected accept 0a1b2c3d --reason "the new kind is wanted; contract follows in the next release"
    """
    from winnow.lake.acceptances import accept
    from winnow.lake.lake import Lake

    accepted, published = accept(Lake.open(), attempt, reason)
    checks = list(accepted.checks)
    if as_json:
        where = _published(accepted.layer, accepted.source, accepted.attempt, published)
        echo_json({**where, "overridden": checks, "who": accepted.who, "why": accepted.why})
        return
    typer.echo(f"{accepted.attempt} {_said(accepted.layer, accepted.source, published)}")
    typer.echo(f"overridden by {accepted.who}: {', '.join(checks)}")


def _published(layer: str, source: str, attempt: str, published: "Published") -> dict[str, object]:
    state = published.state
    return {
        "table": layer,
        "source": source,
        "attempt": attempt,
        "rows": state.rows,
        "data_version": state.data_version,
        "written": published.written,
    }


def _said(layer: str, source: str, published: "Published") -> str:
    if not published.written:
        return f"its rows are in {layer}/{source} already"
    return f"is published as {layer}/{source}, {published.state.rows:,} rows"
