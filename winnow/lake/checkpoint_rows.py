"""`winnow rows`: exactly the rows that a checkpoint was trained on, in order, out of its release."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from schemas.checkpoints import CHECKPOINTS
from schemas.contract import Contract
from schemas.preference import PREFERENCE_PAIRS
from schemas.rows import SFT_TRAIN
from winnow.core.errors import DataError, near_miss
from winnow.core.identity import conversation_hash
from winnow.lake.lake import Lake
from winnow.lake.release import load_release, scan_release
from winnow.lake.sql_types import duckdb_type, quoted_name, quoted_text

if TYPE_CHECKING:
    import duckdb

OK, GONE, ALTERED = "ok", "gone", "altered"
_SHOWN = 5
_CONTENT = ("kind", "messages", "tools", "language", "license", "meta")
_ANSWERS = ("chosen", "rejected")
_TYPES = {
    field.name: field.type for contract in (SFT_TRAIN, PREFERENCE_PAIRS) for field in contract.arrow_schema()
}
_TRAINED_ON = {"sft": SFT_TRAIN, "dpo": PREFERENCE_PAIRS}
_FIELDS: list[tuple[str, Any]] = [
    ("position", pa.int64()),
    ("state", pa.string()),
    ("row_id", pa.string()),
    ("source", pa.string()),
    ("content_hash", pa.string()),
    *((name, _TYPES[name]) for name in (*_CONTENT, *_ANSWERS)),
]
TRAINED_ROW = pa.schema(_FIELDS)
"""Of a preference pair `messages` are the prompt, and `chosen` and `rejected` its answers; of other rows they are
null. `state` is ok, gone (its release does not hold the row any more) or altered (its content hash differs)."""


def find_checkpoint(lake: Lake, name: str) -> dict[str, Any]:
    """The record of a checkpoint by its id, or by the first letters where no other begins with them.

    Raises DataError when there is none, or more than one.
    """
    known: dict[str, dict[str, Any]] = {
        row["checkpoint_id"]: row for b in lake.scan(CHECKPOINTS.table) for row in b.to_pylist()
    }
    if name in known:
        return known[name]
    found = sorted(key for key in known if name and key.startswith(name))
    if len(found) == 1:
        return known[found[0]]
    if found:
        raise DataError(
            f"{len(found)} checkpoints begin with `{name}`: {_listed(found)}. Give more of the id."
        )
    there = f"There are {_listed(sorted(known))}." if known else "There is none yet."
    raise DataError(
        f"No checkpoint `{name}` in {lake.settings.open.setting}. {there}{near_miss(name, known)}"
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def trained_rows(
    lake: Lake, checkpoint: dict[str, Any], limit: int | None = None
) -> Iterator[pa.RecordBatch]:
    """Batches of TRAINED_ROW by position, the first `limit` or all; a row trained on twice comes twice.

    Rows are read from the files that the release pins, and the hash of each is computed anew. Sorting spills
    to a private folder, so memory stays bounded. Raises DataError when the release, or a file of it, is gone.
    """
    import duckdb

    with (
        tempfile.TemporaryDirectory(prefix="winnow-rows-") as folder,
        duckdb.connect(str(Path(folder) / "rows.duckdb")) as sql,
    ):
        sql.execute(f"SET temp_directory = {quoted_text(folder)}")
        sql.execute("SET memory_limit = '512MB'")
        _take_order(lake, sql, checkpoint, limit)
        _take_rows(lake, sql, checkpoint["release"], _TRAINED_ON[checkpoint["method"]])
        yield from _in_order(sql)


def _take_order(
    lake: Lake, sql: "duckdb.DuckDBPyConnection", checkpoint: dict[str, Any], limit: int | None
) -> None:
    sql.execute(
        "CREATE TABLE trained (position BIGINT, row_id VARCHAR, source VARCHAR, content_hash VARCHAR)"
    )
    last = limit if limit is not None else 1 << 62
    columns = ["checkpoint_id", "position", "row_id", "source_of_row", "content_hash"]
    for batch in lake.scan("checkpoint_rows", [checkpoint["model"]], columns, batch_rows=4096):
        _insert(
            sql,
            pa.Table.from_batches([batch]),
            "INSERT INTO trained SELECT position, row_id, source_of_row, content_hash FROM coming "
            "WHERE checkpoint_id = $1 AND position < $2",
            [checkpoint["checkpoint_id"], last],
        )


def _take_rows(lake: Lake, sql: "duckdb.DuckDBPyConnection", release: str, contract: Contract) -> None:
    columns = ", ".join(f"{quoted_name(name)} {duckdb_type(_TYPES[name])}" for name in (*_CONTENT, *_ANSWERS))
    sql.execute(f"CREATE TABLE held (row_id VARCHAR, found_hash VARCHAR, {columns})")
    names = ["row_id", *(name for name in (*_CONTENT, *_ANSWERS) if name in contract.names)]
    for batch in scan_release(lake, load_release(lake, release), contract.table, names, batch_rows=4096):
        sql.register("coming", pa.Table.from_batches([batch]))
        wanted = sql.execute("FROM coming SEMI JOIN trained USING (row_id)").to_arrow_table()
        sql.unregister("coming")
        if wanted.num_rows:
            hashes = [_content_hash(row) for row in wanted.to_pylist()]
            with_hash = wanted.append_column("found_hash", pa.array(hashes, pa.string()))
            _insert(sql, with_hash, "INSERT INTO held BY NAME FROM coming", [])


def _content_hash(row: Mapping[str, Any]) -> str:
    """The hash that a row or a pair has by its content."""
    answers = [{"role": "assistant", "content": row[name]} for name in _ANSWERS if name in row]
    return conversation_hash([*row["messages"], *answers], row.get("tools"))


def _insert(sql: "duckdb.DuckDBPyConnection", rows: pa.Table, statement: str, values: list[Any]) -> None:
    sql.register("coming", rows)
    sql.execute(statement, values)
    sql.unregister("coming")


def _in_order(sql: "duckdb.DuckDBPyConnection") -> Iterator[pa.RecordBatch]:
    content = ", ".join(f"held.{quoted_name(name)}" for name in (*_CONTENT, *_ANSWERS))
    reader = sql.execute(
        f"""
        SELECT
            position,
            CASE WHEN held.row_id IS NULL THEN '{GONE}'
                 WHEN held.found_hash <> trained.content_hash THEN '{ALTERED}'
                 ELSE '{OK}' END AS state,
            trained.row_id, source, content_hash, {content}
        FROM trained LEFT JOIN held ON held.row_id = trained.row_id
        ORDER BY position
        """  # noqa: S608 our own names
    ).to_arrow_reader(1024)
    for batch in reader:
        yield pa.Table.from_batches([batch]).cast(TRAINED_ROW).combine_chunks().to_batches()[0]
