"""`winnow releases`, `winnow hash` and `winnow rows`: what was pinned, what it says, what was trained on."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winnow.cli.printing import echo_json, echo_lines, plain, table, terminal_columns, visible
from winnow.core.errors import ConfigError

if TYPE_CHECKING:
    import pyarrow as pa

    from winnow.lake.lake import Lake
    from winnow.lake.manifest import Release

_RELEASE = "release:"


def releases(
    name: Annotated[str | None, typer.Argument(help="One release in detail, instead of the list.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON value, for programs.")] = False,
) -> None:
    """All releases, or what one of them pins: a table, its sources, rows and data versions.

    \b
    Example:
      winnow releases
      winnow releases r-0123456789ab --json
    """
    from winnow.lake.lake import Lake
    from winnow.lake.release import list_releases, load_release

    lake = Lake.open()
    if name is not None:
        release = load_release(lake, name)
        if as_json:
            echo_json(release.model_dump(mode="json"))
        else:
            echo_lines(_one(release))
        return
    found = [load_release(lake, known) for known in list_releases(lake)]
    if as_json:
        echo_json([_summary(release) for release in found])
    elif found:
        rows = [list(_summary(release).values()) for release in found]
        echo_lines(table(list(_summary(found[0])), rows))
    else:
        typer.echo("There is no release yet. Make one: dg launch --job train, or winnow demo.")


def _summary(release: "Release") -> dict[str, Any]:
    tables = release.tables.values()
    return {
        "release": release.name,
        "created_at": release.created_at,
        "rows": sum(t.rows for t in tables),
        "files": sum(len(p.files) for t in tables for p in t.partitions.values()),
        "tables": ", ".join(release.tables),
        "content_hash": release.content_hash,
    }


def _one(release: "Release") -> Iterator[str]:
    yield f"release       {release.name}"
    yield f"created       {release.created_at:%Y-%m-%d %H:%M:%S} UTC"
    yield f"content hash  {release.content_hash}"
    yield ""
    yield from table(
        ["table", "source", "rows", "files", "data version"],
        [
            (name, source, part.rows, len(part.files), part.data_version)
            for name, pinned in release.tables.items()
            for source, part in pinned.partitions.items()
        ],
    )
    yield ""
    yield f"explained by  {', '.join(release.explanation) or 'nothing'}"
    yield f'ask it        winnow sql --release {release.name} "FROM {next(iter(release.tables))} LIMIT 5"'


def hash_tables(
    tables: Annotated[
        list[str] | None,
        typer.Argument(help="Tables, or release:<name>; every table and release when none is named."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON list, for programs.")] = False,
) -> None:
    """What tables say: equal hashes mean equal content, on disk or on S3, by however many workers.

    A line each: hash, rows, name. Times, costs and who did it are left out of the hash.

    \b
    Example:
      winnow hash
      winnow hash curated sft_train release:r-0123456789ab
    """
    from winnow.lake.lake import Lake

    lake = Lake.open()
    found = [_hashed(lake, name) for name in (tables or _everything(lake))]
    if as_json:
        echo_json(found)
        return
    width = max((len(str(line["rows"])) for line in found), default=0)
    for line in found:
        typer.echo(f"{line['hash']}  {line['rows']:>{width}}  {line['table']}")


def _everything(lake: "Lake") -> list[str]:
    from winnow.lake.release import list_releases
    from winnow.lake.status import known_tables

    published = [table for table in known_tables() if lake.head(table).version is not None]
    return [*published, *(f"{_RELEASE}{name}" for name in list_releases(lake))]


def _hashed(lake: "Lake", name: str) -> dict[str, Any]:
    from winnow.lake.content_hash import hash_table
    from winnow.lake.contracts import contract_of
    from winnow.lake.release import load_release

    if name.startswith(_RELEASE):
        release = load_release(lake, name.removeprefix(_RELEASE))
        rows = sum(table.rows for table in release.tables.values())
        return {"table": name, "rows": rows, "hash": release.content_hash}
    found = hash_table(lake, contract_of(name))
    return {"table": name, "rows": found.rows, "hash": found.hexdigest, "sources": found.sources}


def rows(
    checkpoint: Annotated[str, typer.Argument(help="The checkpoint's id, or its first letters.")],
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first rows of the training order.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines: a whole row a line.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write whole rows to this Parquet file instead.")] = None,
) -> None:
    """Exactly the rows that a checkpoint was trained on, in training order.

    They are read from the release it was trained on, and the content hash of each is computed anew. A row that
    is gone (taken down) or altered is said to be so; the exit code is then 1.

    \b
    Example:
      winnow rows 9c31 --limit 5
      winnow rows 9c31 --out trained.parquet
    """
    from winnow.lake.checkpoint_rows import find_checkpoint, trained_rows
    from winnow.lake.lake import Lake

    if as_json and out is not None:
        raise ConfigError("--json prints and --out writes a file. Give one of them.")
    lake = Lake.open()
    record = find_checkpoint(lake, checkpoint)
    states: dict[str, int] = {}
    batches = _counted(trained_rows(lake, record, limit), states)
    if out is not None:
        _write(out, batches)
    else:
        show = _print_json if as_json else _print_line
        for batch in batches:
            for row in batch.to_pylist():
                show(row)
    total, good = sum(states.values()), states.get("ok", 0)
    missing = "; ".join(f"{count:,} {state}" for state, count in sorted(states.items()) if state != "ok")
    said = f"HOLES: {missing}" if missing else "every content hash matches"
    of = f" (of {record['rows']:,} different ones)" if limit is None else ""
    typer.echo(f"{total:,} rows{of} of release {record['release']}: {good:,} found, {said}", err=True)
    raise typer.Exit(1 if missing else 0)


def _counted(batches: "Iterator[pa.RecordBatch]", states: dict[str, int]) -> "Iterator[pa.RecordBatch]":
    for batch in batches:
        for state in batch["state"].to_pylist():
            states[str(state)] = states.get(str(state), 0) + 1
        yield batch


def _print_json(row: dict[str, Any]) -> None:
    echo_json(plain(row))


def _print_line(row: dict[str, Any]) -> None:
    from winnow.curation.text import row_text

    content = row_text(row) if row["messages"] else f"({row['state']})"
    mark = "" if row["state"] in ("ok", "gone") else f"({row['state']}) "
    head = f"{row['position']:>6}  {row['row_id']}  {row['source']:<20}  {mark}"
    typer.echo(head + visible(content, max(20, terminal_columns() - len(head))))


def _write(out: Path, batches: "Iterator[pa.RecordBatch]") -> None:
    import pyarrow.parquet as pq

    from winnow.lake.checkpoint_rows import TRAINED_ROW

    try:
        with pq.ParquetWriter(out, TRAINED_ROW, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch)
    except OSError as error:
        raise ConfigError(
            f"{out} cannot be written: {error.strerror or error}. Give another --out."
        ) from None
