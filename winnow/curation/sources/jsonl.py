"""JSON Lines, plain or compressed: a record is the bytes of its line.

What ends a line (LF or CRLF), blank lines and a UTF-8 byte order mark at the start of a file belong to the
file and not to a record. A line is cut at LF alone: U+2028, U+0085 and a bare CR are part of it.
"""

import bz2
import gzip
import hashlib
import lzma
import zlib
from collections.abc import Iterator
from io import IOBase
from typing import Any, BinaryIO, cast

import orjson
import pyarrow as pa

from winnow.core.identity import payload_hash
from winnow.curation.sources.config import Source
from winnow.curation.sources.files import SourceFile, content_of, locate, unreadable
from winnow.curation.sources.records import ReadSettings, Record

SUFFIXES = tuple(stem + end for stem in (".jsonl", ".ndjson") for end in ("", ".gz", ".zst", ".bz2", ".xz"))
_GZIP, _ZSTD, _BZ2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
_BOM = b"\xef\xbb\xbf"
_FOREIGN = {
    b"\xff\xfe": ("UTF-16 text", "iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "iconv -f UTF-16 -t UTF-8"),
    b"PAR1": ("a Parquet file", "or declare the source with `kind: parquet`"),
    b"PK\x03\x04": ("a ZIP archive", "unzip it"),
}
"""First bytes of what is no JSON Lines, what it is, and what to do."""
_CHUNK = 1 << 20
MAX_KEY = 1000
"""Code points of a key; with a longer one the content names the record."""


def content(source: Source, settings: ReadSettings) -> str:
    """A hash of the stored bytes of the files, in reading order."""
    return content_of(source, locate(source, settings, SUFFIXES))


def records(source: Source, settings: ReadSettings) -> Iterator[Record]:
    """One record a line; a line above `max_record_bytes` comes without its payload, parked."""
    parsed = source.key is not None or bool(source.filters)
    for file in locate(source, settings, SUFFIXES):
        try:
            with file.open_stream() as stored:
                stream = _decompressed(stored, file)
                for line in lines(stream, settings.max_record_bytes):
                    yield line if isinstance(line, Record) else _record(line, source, parsed)
        except (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowInvalid) as error:
            raise unreadable(source, file, error) from None


def _decompressed(stored: BinaryIO, file: SourceFile) -> BinaryIO:
    """The stream of lines; the first bytes tell the compression, whatever the file is called."""
    with file.open_stream() as probe:
        magic = probe.read(6)
    if magic.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=stored))
    if magic.startswith(_ZSTD):
        return cast(BinaryIO, pa.CompressedInputStream(cast(IOBase, stored), "zstd"))
    if magic.startswith(_BZ2):
        return cast(BinaryIO, bz2.BZ2File(stored))
    if magic.startswith(_XZ):
        return cast(BinaryIO, lzma.LZMAFile(stored))
    for start, (what, remedy) in _FOREIGN.items():
        if magic.startswith(start):
            raise OSError(f"it is {what} and no JSON Lines ({remedy})")
    if not magic and file.path.endswith((".gz", ".zst", ".bz2", ".xz")):
        raise EOFError("it is empty, and no compressed file is")
    return stored


def _record(line: bytes, source: Source, parsed: bool) -> Record:
    fields = json_object(line) if parsed else None
    return Record(
        payload=line,
        content_hash=payload_hash(line),
        payload_kind="json",
        size=len(line),
        key=key_text(fields.get(source.key)) if fields is not None and source.key else None,
        fields=fields,
    )


def json_object(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds, or None; what is wrong with it is for `normalize` to say."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def key_text(value: Any) -> str | None:
    """A key: a string of 1 to MAX_KEY code points, or an integer; nothing else names a record."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and 0 < len(value) <= MAX_KEY and "\0" not in value else None


def lines(stream: BinaryIO, limit: int) -> Iterator[bytes | Record]:
    """The lines that are not blank; one above `limit` bytes is only hashed, and comes as a parked record."""
    pending = b""
    long_line: _LongLine | None = None
    first = True
    while chunk := stream.read(_CHUNK):
        if first:
            while len(chunk) < len(_BOM) and (more := stream.read(_CHUNK)):
                chunk += more
            chunk, first = chunk.removeprefix(_BOM), False
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            if long_line is not None:
                yield long_line.ended(part)
            elif len(line := pending + part) > limit + 1:
                yield _LongLine(line).ended(b"")
            elif line.strip():
                yield _cut(line, limit)
            pending, long_line = b"", None
        if long_line is not None:
            long_line.add(rest)
        elif len(pending := pending + rest) > limit + 1:
            long_line, pending = _LongLine(pending), b""
    if long_line is not None:
        yield long_line.ended(b"")
    elif pending.strip():
        yield _cut(pending, limit)


def _cut(line: bytes, limit: int) -> bytes | Record:
    line = line.removesuffix(b"\r")
    return line if len(line) <= limit else _LongLine(line).ended(b"")


class _LongLine:
    """A line too long to hold: its hash and length, with a CR held back in case it ends the line."""

    def __init__(self, start: bytes) -> None:
        self._hash = hashlib.sha256()
        self._size = 0
        self._held = b""
        self.add(start)

    def add(self, part: bytes) -> None:
        part = self._held + part
        self._held = b"\r" if part.endswith(b"\r") else b""
        body = part.removesuffix(b"\r")
        self._hash.update(body)
        self._size += len(body)

    def ended(self, part: bytes) -> Record:
        self.add(part)
        return Record(
            payload=None,
            content_hash=self._hash.hexdigest(),
            payload_kind="json",
            size=self._size,
            park="record-too-large",
        )
