"""Parquet: a record is a row as JSON, keys sorted, whatever the order of the columns.

What JSON cannot say is written so that it can be told apart and read back: dates, times and timestamps in
ISO 8601, decimals, durations and UUIDs as their text, NaN and the infinities as the strings `NaN`, `Infinity`
and `-Infinity`, binary values as text where they are UTF-8. A row with other binary values, or with a string
that is no UTF-8, is parked as `not-json`. Files are read one by one, so a column may change its type between.
"""

import datetime
import decimal
import math
import uuid
from collections.abc import Iterator
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from winnow.core.errors import DataError
from winnow.core.identity import canonical, payload_hash
from winnow.curation.sources.config import Source
from winnow.curation.sources.files import SourceFile, content_of, locate, unreadable
from winnow.curation.sources.jsonl import key_text
from winnow.curation.sources.records import ReadSettings, Record

SUFFIXES = (".parquet",)
_ROWS = 64
"""Rows decoded at a time: a row may take megabytes."""
_BUFFER = 1 << 20


def content(source: Source, settings: ReadSettings) -> str:
    """A hash of the stored bytes of the files, in reading order."""
    return content_of(source, locate(source, settings, SUFFIXES))


def records(source: Source, settings: ReadSettings) -> Iterator[Record]:
    """One record a row; a DataError names a file that is corrupt or has two columns of one name."""
    for file in locate(source, settings, SUFFIXES):
        try:
            with file.open_random() as stored:
                yield from _file_records(source, settings, file, stored)
        except (OSError, pa.ArrowException) as error:
            raise unreadable(source, file, error) from None


def _file_records(
    source: Source, settings: ReadSettings, file: SourceFile, stored: pa.NativeFile
) -> Iterator[Record]:
    table = pq.ParquetFile(stored, buffer_size=_BUFFER, pre_buffer=False)
    schema = table.schema_arrow
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise DataError(
            f"source `{source.id}`: `{file.path}` has two columns named `{twice[0]}`. "
            "Rename one and write the file again."
        )
    floats = any(_holds_floats(column) for column in schema.types)
    for batch in table.iter_batches(batch_size=_ROWS):
        for row in _rows(batch):
            yield _record(row, source, settings, floats)


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """The rows as Python values; a string that is no UTF-8 comes as its bytes."""
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
    except (ValueError, OverflowError):
        names = batch.schema.names
        rows = [{name: _value(batch.column(name)[i]) for name in names} for i in range(batch.num_rows)]
    yield from rows


class _Inexpressible:
    """A value that Arrow cannot hand to Python; named by its type and its text."""

    def __init__(self, scalar: Any) -> None:
        self.text = str(scalar.type)


def _value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        if pa.types.is_string(scalar.type) or pa.types.is_large_string(scalar.type):
            return scalar.as_buffer().to_pybytes()
        return _Inexpressible(scalar)
    except (ValueError, OverflowError):
        return _Inexpressible(scalar)


def _holds_floats(column: pa.DataType) -> bool:
    if pa.types.is_nested(column):
        return any(_holds_floats(column.field(i).type) for i in range(column.num_fields))
    if pa.types.is_dictionary(column):
        return _holds_floats(column.value_type)
    return bool(pa.types.is_floating(column))


def _record(row: dict[str, Any], source: Source, settings: ReadSettings, floats: bool) -> Record:
    key = key_text(row.get(source.key)) if source.key else None
    try:
        payload = orjson.dumps(
            _without_nan(row) if floats else row,
            default=_plain,
            option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME,
        )
    except (TypeError, orjson.JSONEncodeError):
        body = canonical(_hashable(row))
        return Record(None, payload_hash(body), "json", len(body), key=key, park="not-json")
    too_large = len(payload) > settings.max_record_bytes
    return Record(
        payload=None if too_large else payload,
        content_hash=payload_hash(payload),
        payload_kind="json",
        size=len(payload),
        key=key,
        fields=None if too_large else row,
        park="record-too-large" if too_large else None,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, decimal.Decimal | datetime.timedelta | uuid.UUID):
        return str(value)
    raise TypeError(type(value).__name__)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return value


def _hashable(value: Any) -> Any:
    """A form of any row that can be hashed; it names the row, and is never shown."""
    if isinstance(value, dict):
        return {str(key): _hashable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_hashable(inner) for inner in value]
    if value is None or isinstance(value, str | bytes | bool | int | float):
        return value
    return value.text if isinstance(value, _Inexpressible) else str(value)
