"""`winnow backfill`: sources through every curation layer, by the Dagster instance."""

import json
from typing import Annotated

import typer

from winnow.cli.environment import dagster_home


def backfill(
    sources: Annotated[
        list[str] | None, typer.Argument(help="Ids of sources; all declared ones when none is named.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Launch an asset backfill: one run a source, and the global dedup verdicts once after all of them.

    Unchanged partitions are skipped and counted. Other sources whose survivors changed are refreshed too.
    Uses the running Dagster daemon, or starts one for as long as it takes.

    \b
    Example:
      winnow backfill stdlib-files stdlib-functions
    """
    dagster_home()
    from assets.backfill import launch

    reports = launch(list(sources or ()), lambda text: typer.echo(text, err=as_json))
    if as_json:
        typer.echo(json.dumps([vars(report) for report in reports]))
        return
    written = sum(report.written for report in reports)
    skipped = sum(report.skipped for report in reports)
    if written:
        typer.echo(f"{written} partitions written, {skipped} unchanged")
    else:
        typer.echo(f"nothing to do: all {skipped} partitions are unchanged")
