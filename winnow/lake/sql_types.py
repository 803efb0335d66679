"""DuckDB's names for Arrow types, so that a view's types come from its contract and not from its files."""

import pyarrow as pa

from schemas.contract import Column

_PLAIN = {
    pa.string(): "VARCHAR",
    pa.large_string(): "VARCHAR",
    pa.binary(): "BLOB",
    pa.bool_(): "BOOLEAN",
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INTEGER",
    pa.int64(): "BIGINT",
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
}


def duckdb_type(kind: pa.DataType) -> str:
    """The DuckDB type of an Arrow type; TypeError for one that no contract may use.

    >>> duckdb_type(pa.list_(pa.struct([pa.field("id", pa.string())])))
    'STRUCT("id" VARCHAR)[]'
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if pa.types.is_timestamp(kind) and kind.tz == "UTC":
        return "TIMESTAMP WITH TIME ZONE"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"{duckdb_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        return f"STRUCT({', '.join(f'{quoted_name(f.name)} {duckdb_type(f.type)}' for f in fields)})"
    raise TypeError(f"no DuckDB type for Arrow type {kind}")


def cast(column: Column) -> str:
    """The column as its contract types it."""
    name = quoted_name(column.name)
    return f"CAST({name} AS {duckdb_type(column.type)}) AS {name}"


def typed_null(column: Column) -> str:
    """A null of the column's type, for the view of an empty table."""
    return f"CAST(NULL AS {duckdb_type(column.type)}) AS {quoted_name(column.name)}"


def quoted_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quoted_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
