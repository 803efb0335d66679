"""The `winnow` command.

One module a command group; modules are light, and what is heavy is imported inside the command, so that
`winnow --help` answers at once. A new command is one function and one line under "Commands" below.
"""

import importlib.metadata
import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from winnow.cli import (
    backfill,
    demo,
    diff,
    doctor,
    explain,
    registry,
    rejected,
    releases,
    sanitize_audit,
    sql,
    status,
    trial,
)
from winnow.cli.environment import prepare_environment
from winnow.cli.failures import BROKEN_PIPE, gone_file, report_error, report_internal_error
from winnow.core.errors import RunError, WinnowError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"winnow {importlib.metadata.version('winnow')}")
        raise typer.Exit


@app.callback()
def winnow(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Raise raw code and agent data to training sets and checkpoints, and ask where each row came from.

    \b
    Start here:
      winnow doctor          is this machine ready?
      winnow COMMAND --help  what a command does, with an example

    Places and credentials come from the environment or from .env in this directory; .env.example lists them.
    """


# Commands
app.command()(doctor.doctor)
app.command()(demo.demo)
app.command()(backfill.backfill)
app.command("try")(trial.try_stage)
app.command()(status.status)
app.command()(sql.sql)
app.command()(sql.views)
app.command()(explain.funnel)
app.command()(explain.trace)
app.command()(diff.diff)
app.command()(releases.rows)
app.command()(releases.releases)
app.command("hash")(releases.hash_tables)
app.command()(registry.registry)
app.command()(registry.promote)
app.add_typer(rejected.rejected, name="rejected")
app.add_typer(sanitize_audit.sanitize, name="sanitize")
app.command()(status.sweep)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0, 1 after an error, 2 for wrong usage, 130 for Ctrl-C."""
    try:
        prepare_environment()
        typer.main.get_command(app)(args=arguments, prog_name="winnow")
    except SystemExit as stop:
        return _flushed(stop.code if isinstance(stop.code, int) else int(stop.code is not None))
    except WinnowError as error:
        return report_error(error)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("WINNOW_DEBUG"):
            raise
        gone = gone_file(error)
        return report_error(RunError(gone)) if gone else report_internal_error(error)
    return 0


def _flushed(code: int) -> int:
    """The code, once all output has left; a reader that went away (`winnow … | head`) is no fault."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return code


def main() -> NoReturn:
    """The console script."""
    sys.exit(run())


if __name__ == "__main__":
    main()
