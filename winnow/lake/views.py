"""The lake in SQL: views over exact files, in a connection or in a file for plain `duckdb -init`."""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from winnow.lake.access import record_access
from winnow.lake.head import other_columns
from winnow.lake.lake import Lake
from winnow.lake.names import SPILL, new_nonce
from winnow.lake.pins import Pin, pins_now, pins_of_release
from winnow.lake.release import load_release
from winnow.lake.settings import ZoneSettings
from winnow.lake.sql_types import cast, quoted_name, quoted_text, typed_null

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parents[2] / "sql"
_PINNED = re.compile(r"\bpinned\.(\w+)")


def connect(
    lake: Lake,
    restricted: bool = False,
    release: str | None = None,
    why: str | None = None,
    who: str | None = None,
) -> "duckdb.DuckDBPyConnection":
    """An in-memory DuckDB with a view for each table, pinned to what the lake holds now or to a release.

    A later commit never shows: connect again to see it. `restricted` adds the layers that are not sanitized;
    who, when and `why` are recorded before they can be read.

    Raises:
        ConfigError: `restricted` without a reason.
        DataError: a table was written by something else or has other columns, or there is no such release.
    """
    import duckdb

    if restricted:
        record_access(lake, "views of the restricted zone", why, who)
    pins = pins_of_release(lake, load_release(lake, release)) if release else pins_now(lake, restricted)
    connection = duckdb.connect(":memory:")
    lake.settings.open.duckdb_setup(connection)
    if restricted:
        lake.settings.restricted.duckdb_setup(connection)
    for statement in (*_session(lake, restricted), *_statements(pins, restricted)):
        try:
            connection.execute(statement)
        except duckdb.BinderException:
            for pin in pins:
                if statement == _pinned_view(pin):
                    raise other_columns(lake.zone_of(pin.contract.table), pin.contract) from None
            raise
    return connection


def write_init(lake: Lake, path: Path, release: str | None = None) -> None:
    """Writes one file of SQL that makes the same views: `duckdb -init FILE`. Never the restricted zone.

    It holds no secret: on S3 DuckDB takes the credentials from the environment of whoever runs it.
    """
    pins = pins_of_release(lake, load_release(lake, release)) if release else pins_now(lake)
    lines = [
        "-- Views on a Winnow lake as it was when this file was written. Later commits do not show.",
        *_s3_without_secrets(lake.settings.open),
        "SET TimeZone = 'UTC';",
        *_statements(pins, restricted=False),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def question(name: str) -> str:
    """The SQL text of a canned question in `sql/questions`."""
    return (SQL / "questions" / f"{name}.sql").read_text(encoding="utf-8")


def _session(lake: Lake, restricted: bool) -> Iterator[str]:
    yield "SET TimeZone = 'UTC'"
    # what is not sanitized spills into its own zone or, where that is a bucket, not at all
    root = lake.settings.restricted.root if restricted else tempfile.gettempdir()
    folder = os.path.join(root, f"{SPILL}_{os.getpid()}_{new_nonce()}")
    yield f"SET temp_directory = {quoted_text('' if root.startswith('s3://') else folder)}"


def _statements(pins: Sequence[Pin], restricted: bool) -> Iterator[str]:
    yield "CREATE SCHEMA IF NOT EXISTS pinned;"
    for pin in pins:
        yield _pinned_view(pin)
    known = {pin.contract.table for pin in pins}
    folders = ("views", "restricted") if restricted else ("views",)
    for file in sorted(file for folder in folders for file in (SQL / folder).glob("*.sql")):
        text = file.read_text(encoding="utf-8").strip()
        if known.issuperset(_PINNED.findall(text)):
            yield text


def _pinned_view(pin: Pin) -> str:
    contract = pin.contract
    head = f"CREATE OR REPLACE VIEW pinned.{quoted_name(contract.table)} AS"
    if not pin.uris:
        return f"{head} SELECT {', '.join(map(typed_null, contract.columns))} WHERE false;"
    types = ", ".join(f"{quoted_text(name)}: VARCHAR" for name in contract.partition_by)
    files = ", ".join(map(quoted_text, pin.uris))
    rows = f"read_parquet([{files}], hive_partitioning = true, hive_types = {{{types}}})"
    return f"{head} FROM {rows} SELECT {', '.join(map(cast, contract.columns))};"


def _s3_without_secrets(zone: ZoneSettings) -> Iterator[str]:
    if not zone.is_s3:
        return
    yield "INSTALL httpfs; LOAD httpfs; INSTALL aws; LOAD aws;"
    parts = [
        "TYPE s3",
        "PROVIDER credential_chain",
        f"REGION {quoted_text(zone.region)}",
        f"SCOPE {quoted_text(zone.root)}",
    ]
    if zone.endpoint_url:
        endpoint = urlsplit(zone.endpoint_url)
        where = f"{endpoint.hostname}:{endpoint.port}" if endpoint.port else f"{endpoint.hostname}"
        secure = str(endpoint.scheme == "https").lower()
        parts += [f"ENDPOINT {quoted_text(where)}", "URL_STYLE 'path'", f"USE_SSL {secure}"]
    yield f"CREATE OR REPLACE SECRET winnow_open ({', '.join(parts)});"
