"""Rows out of JSON Lines, Parquet or a folder, one for each record whatever is wrong with it.

A line that is blank is no record. A record without a usable id is called `line:<n>`: the number of its line, of
its row in Parquet, or of its file in a folder, from 1.
"""

import gzip
import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from winnow.core.errors import ConfigError, DataError, RunError
from winnow.curation.normalize.json_text import Number, parse_json
from winnow.curation.normalize.rules import ParkError
from winnow.curation.sources import parquet
from winnow.curation.sources.config import Source
from winnow.curation.sources.occurrences import Occurrences
from winnow.curation.sources.records import ReadSettings
from winnow.curation.trial.rows import (
    DUPLICATE_ID,
    INVALID_ID,
    MAX_RECORD,
    MISSING_ID,
    TOO_LARGE,
    Form,
    TrialRow,
)

_GZIP, _ZSTD, _PARQUET, _BOM = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"\xef\xbb\xbf"
_WHOLE_NUMBER = re.compile(r"-?\d{1,1000}")
"""Longer ones are valid JSON that few readers take."""
_SKIP = 1 << 20


def read_rows(path: Path) -> Iterator[TrialRow]:
    """Every record of a file or folder, in order; the second record of an id is parked as `duplicate-id`.

    The first bytes of a file tell Parquet, gzip and zstd from plain JSON Lines. Raises ConfigError when there
    is nothing to read, and DataError when a file breaks off.
    """
    return _once(_records(path))


def _records(path: Path) -> Iterator[TrialRow]:
    if path.is_dir():
        return _files(path)
    if not path.is_file():
        raise ConfigError(f"{path}: no such file or folder. Give JSON Lines, Parquet, or a folder of texts.")
    with _opened(path) as file:
        magic = file.read(4)
    if magic == _PARQUET or path.suffix == ".parquet":
        return _parquet(path)
    return _json_lines(path, magic)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}. Change its mode or owner.") from None


def _once(rows: Iterable[TrialRow]) -> Iterator[TrialRow]:
    seen = Occurrences()
    for row in rows:
        name = hashlib.blake2b(row.id.encode(), digest_size=8).digest()
        if row.park in (None, TOO_LARGE) and seen.next(int.from_bytes(name, "big")):
            row = TrialRow(row.id, None, row.form, row.kind, row.path, DUPLICATE_ID)
        yield row


def _named(value: Any, number: int) -> tuple[str, str | None]:
    """The id as JSON text, and the rule that parks a record whose id cannot be used."""
    if value is None:
        return f'"line:{number}"', MISSING_ID
    if isinstance(value, Number) and _WHOLE_NUMBER.fullmatch(value.literal):
        return value.literal, None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value), None
    if isinstance(value, str) and value and "\0" not in value:
        try:
            return orjson.dumps(value).decode(), None
        except orjson.JSONEncodeError:  # half of a surrogate pair
            return f'"line:{number}"', INVALID_ID
    return f'"line:{number}"', INVALID_ID


def _form(value: Any) -> Form:
    return "messages" if isinstance(value, dict) and value.get("messages") is not None else "text"


def _json_lines(path: Path, magic: bytes) -> Iterator[TrialRow]:
    try:
        with _opened(path) as stored:
            for number, line in _lines(_decompressed(stored, magic)):
                yield _json_row(number, line)
    except (OSError, EOFError, zlib.error, pa.ArrowInvalid) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(".")
        raise DataError(f"{path} cannot be read to its end: {reason}. Write the file again.") from None


def _decompressed(stored: BinaryIO, magic: bytes) -> BinaryIO:
    if magic.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stored))
    if magic == _ZSTD:
        inflated: Any = pa.CompressedInputStream(cast(io.IOBase, stored), "zstd")
        return io.BufferedReader(inflated)
    return stored


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines that are not blank, with their number; None for one above MAX_RECORD bytes, which is skipped."""
    number = 0
    while line := stream.readline(MAX_RECORD + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        ended = line.endswith(b"\n")
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if len(line) > MAX_RECORD:
            while not ended and (rest := stream.readline(_SKIP)):
                ended = rest.endswith(b"\n")
            yield number, None
        elif line.strip():
            yield number, line


def _json_row(number: int, line: bytes | None) -> TrialRow:
    if line is None:
        return TrialRow(f'"line:{number}"', None, park=TOO_LARGE)
    value = _parsed(line)
    if not isinstance(value, dict):
        return TrialRow(f'"line:{number}"', line)  # `normalize` says what is wrong with it
    name, park = _named(value.get("id"), number)
    return TrialRow(name, None if park else line, _form(value), park=park)


def _parsed(line: bytes) -> Any:
    """The value of a line, as leniently as `normalize` will read it; None where it will park the line."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        value = None
    # a whole number of more than 64 bits comes as a float
    if value is not None and not (isinstance(value, dict) and isinstance(value.get("id"), float)):
        return value
    try:
        return parse_json(line.decode("utf-8"))
    except (UnicodeDecodeError, ParkError):
        return None


def _parquet(path: Path) -> Iterator[TrialRow]:
    source = Source(id="try", kind="parquet", location=(str(path.absolute()),))
    settings = ReadSettings(max_record_bytes=MAX_RECORD)
    ids = _parquet_ids(path)
    for number, record in enumerate(parquet.records(source, settings), 1):
        name, park = _named(next(ids, None), number)
        park = record.park or park
        yield TrialRow(name, None if park else record.payload, _form(record.fields), park=park)


def _parquet_ids(path: Path) -> Iterator[Any]:
    """The column `id`; read apart, because a record that is parked comes without its fields."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as table:
            if table.schema_arrow.names.count("id") == 1:
                for batch in table.iter_batches(batch_size=1024, columns=["id"]):
                    yield from map(_id_value, batch.column(0))
    except (OSError, pa.ArrowException):
        return  # the reader of the records says so


def _id_value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError):
        return False


def _refuse(error: OSError) -> None:
    raise RunError(f"{error.filename} cannot be listed ({error.strerror}). Make it readable, or leave it out")


def _files(folder: Path) -> Iterator[TrialRow]:
    """A file a row, by relative path; pipes, devices and dead links are none, and no link to a folder is followed."""
    found = [Path(below, name) for below, _, names in os.walk(folder, onerror=_refuse) for name in names]
    number = 0
    for path in sorted(found, key=lambda p: p.relative_to(folder).parts):
        try:
            status = path.stat()
        except OSError:
            continue
        if not stat.S_ISREG(status.st_mode):
            continue
        number += 1
        yield _file_row(number, path, path.relative_to(folder).as_posix(), status.st_size)


def _file_row(number: int, path: Path, within: str, size: int) -> TrialRow:
    name, park = _named(within, number)
    if park or size > MAX_RECORD:
        return TrialRow(name, None, kind="text", park=park or TOO_LARGE)
    with _opened(path) as file:
        return TrialRow(name, file.read(MAX_RECORD), kind="text", path=within)
