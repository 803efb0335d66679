"""`winnow sql` and `winnow views`: the lake in DuckDB."""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.cli.printing import columns_of, echo_json, echo_lines, json_text, plain, table, terminal_columns
from winnow.core.errors import ConfigError, DataError, RunError

if TYPE_CHECKING:
    import duckdb

_PROMPT, _MORE = "winnow> ", "   ...> "
_SHOWN_ROWS = 200
_FETCHED = 1000
_HELP = "End a statement with `;`. .tables lists the views, .quit or Ctrl-D leaves."
_VIEWS = (
    "SELECT view_name AS view, column_count AS columns FROM duckdb_views() "
    "WHERE schema_name = 'main' AND NOT internal ORDER BY view"
)


def sql(
    query: Annotated[str | None, typer.Argument(help="One or more statements; without one, a shell.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines: an object a row, every row.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with a header, every row.")] = False,
    release: Annotated[
        str | None, typer.Option(help="Ask a release instead of what the lake holds now.")
    ] = None,
    restricted: Annotated[
        bool, typer.Option("--restricted", help="Show what is not sanitized, too. The use is recorded.")
    ] = False,
    why: Annotated[
        str | None, typer.Option("--why", "--reason", help="Why --restricted is needed; recorded.")
    ] = None,
) -> None:
    """Ask the lake in SQL (DuckDB), over views that are pinned to this moment or to a release.

    A table prints at most 200 rows, long values cut; --json and --csv print everything. In the shell, end a
    statement with `;`. Statements may also come from a pipe.

    \b
    Example:
      winnow sql "SELECT source, count(*) AS rows FROM curated GROUP BY ALL"
      winnow sql --csv "FROM funnel" > funnel.csv
      winnow sql < questions.sql
    """
    from winnow.lake.lake import Lake
    from winnow.lake.views import connect

    if as_json and as_csv:
        raise ConfigError("--json and --csv are two forms of one answer. Give one of them.")
    if restricted and not (why or "").strip():
        raise ConfigError("Text that is not sanitized is opened only for a reason. Give one: --why TEXT.")
    with connect(Lake.open(), restricted=restricted, release=release, why=why) as connection:
        session = _Session(connection, "json" if as_json else "csv" if as_csv else "table")
        if query is not None:
            session.run(query)
        elif sys.stdin.isatty():
            session.shell()
        else:
            session.run(sys.stdin.read())


class _Session:
    """Statements and their answers in one form."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", form: str) -> None:
        self._connection = connection
        self._form = form

    def run(self, text: str) -> None:
        """Runs all statements of a text. Raises DataError at the first that fails."""
        import duckdb

        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise ConfigError(
                "The query is not UTF-8 text. Write it in UTF-8, or set LC_ALL=C.UTF-8."
            ) from None
        try:
            for statement in self._connection.extract_statements(text):
                self._connection.execute(statement)
                if statement.type.name in ("SELECT", "EXPLAIN", "PRAGMA", "CALL", "RELATION", "SHOW"):
                    self._answer()
        except duckdb.InterruptException:
            raise RunError("The statement was interrupted.") from None
        except duckdb.Error as error:
            raise DataError(f"SQL: {_one_line(error)}") from None

    def shell(self) -> None:
        """Reads statements from a person until they leave; an error ends a statement, not the shell."""
        import readline  # noqa: F401 gives input() history and editing

        typer.echo(_HELP)
        pending = ""
        while True:
            try:
                line = input(_MORE if pending else _PROMPT)
            except EOFError:
                typer.echo()
                return
            except KeyboardInterrupt:
                typer.echo()
                pending = ""
                continue
            if not pending and line.strip().startswith("."):
                if self._leaves(line.strip()):
                    return
                continue
            pending = f"{pending}\n{line}" if pending else line
            if pending.rstrip().endswith(";"):
                self._try(pending)
                pending = ""
            elif not pending.strip():
                pending = ""

    def _leaves(self, command: str) -> bool:
        if command in (".quit", ".exit"):
            return True
        if command == ".tables":
            self._try(_VIEWS)
        else:
            typer.echo(_HELP)
        return False

    def _try(self, text: str) -> None:
        try:
            self.run(text)
        except (DataError, RunError) as error:
            typer.echo(f"error: {error}", err=True)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)

    def _answer(self) -> None:
        names = [column[0] for column in self._connection.description or []]
        if self._form == "json":
            for row in self._rows():
                echo_json(dict(zip(names, row, strict=True)))
        elif self._form == "csv":
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([_csv_cell(value) for value in row] for row in self._rows())
        else:
            self._print_table(names)

    def _print_table(self, names: list[str]) -> None:
        rows = self._connection.fetchmany(_SHOWN_ROWS + 1)
        shown = [[_shown(value) for value in row] for row in rows[:_SHOWN_ROWS]]
        fit = terminal_columns() if sys.stdout.isatty() else None
        lines = list(table(names, shown, fit=fit))
        if lines:
            lines.insert(1, "-" * max(map(columns_of, lines)))
        echo_lines(lines)
        if len(rows) > _SHOWN_ROWS:
            typer.echo(f"({_SHOWN_ROWS} rows of more; --csv or --json for all)")
        else:
            typer.echo(f"({len(rows)} {'row' if len(rows) == 1 else 'rows'})")

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        while rows := self._connection.fetchmany(_FETCHED):
            yield from rows


def _shown(value: Any) -> Any:
    return "NULL" if value is None else str(value).lower() if isinstance(value, bool) else value


def _csv_cell(value: Any) -> Any:
    if value is None:
        return ""
    return json_text(value) if isinstance(value, bool | list | tuple | dict) else plain(value)


def _one_line(error: Exception) -> str:
    """What DuckDB says, without the picture of the statement that follows it."""
    said = str(error).partition("\n\nLINE ")[0]
    return " ".join(said.split())


def views(
    out: Annotated[Path, typer.Option(help="The file to write; replaced where it exists.")],
    release: Annotated[
        str | None, typer.Option(help="Views of a release instead of what the lake holds now.")
    ] = None,
) -> None:
    """Write the views of the open zone as one file of SQL, for plain DuckDB, Python or a notebook.

    The file names exact data files, so later commits do not show in it: write it again. It holds no secret;
    on S3 DuckDB takes credentials from the environment of whoever reads it.

    \b
    Example:
      winnow views --out lake.init.sql
      duckdb -init lake.init.sql
    """
    from winnow.lake.lake import Lake
    from winnow.lake.views import write_init

    try:
        write_init(Lake.open(), out, release)
    except OSError as error:
        raise ConfigError(f"{out} cannot be written: {error.strerror}. Give another --out.") from None
    typer.echo(f"wrote {out}; open it with: duckdb -init {out}")
