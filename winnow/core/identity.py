"""Names for content: row ids, content hashes, data versions and stage versions.

One canonical encoding lies under all of them: a type tag, the length in ASCII, a colon and the bytes,
so that no two different values share an encoding and null differs from empty.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

_CODE = {str: b"s", bytes: b"b", int: b"i", float: b"f", bool: b"t"}


def canonical(value: Any) -> bytes:
    """The canonical encoding of a value built of null, bool, int, float, str, bytes, sequences and mappings.

    Mappings are encoded in the order of their sorted keys. A lone surrogate is encoded as its three bytes.

    >>> canonical("ab"), canonical(None), canonical([1, "a"])
    (b's2:ab', b'n0:', b'l8:i1:1s1:a')
    """
    if value is None:
        return b"n0:"
    if isinstance(value, str):
        body = value.encode("utf-8", "surrogatepass")
    elif isinstance(value, bytes):
        body = value
    elif isinstance(value, bool):
        body = b"1" if value else b"0"
    elif isinstance(value, int):
        body = str(value).encode()
    elif isinstance(value, float):
        body = value.hex().encode()
    elif isinstance(value, Mapping):
        body = b"".join(canonical(k) + canonical(value[k]) for k in sorted(value))
        return b"m%d:%s" % (len(body), body)
    elif isinstance(value, Sequence):
        body = b"".join(map(canonical, value))
        return b"l%d:%s" % (len(body), body)
    else:
        raise TypeError(f"no canonical encoding for {type(value).__name__}")
    return b"%s%d:%s" % (_CODE[type(value)], len(body), body)


def digest(value: Any, size: int = 16) -> str:
    """blake2b of the canonical encoding, as hex of `size` bytes."""
    return hashlib.blake2b(canonical(value), digest_size=size).hexdigest()


def row_id(source_id: str, key: str | None, content_hash: str, occurrence: int) -> str:
    """32 hex digits from the source and the record's own key, or its content where it has none."""
    named = ["key", key] if key is not None else ["content", content_hash]
    return digest([source_id, *named, occurrence])


def payload_hash(payload: bytes) -> str:
    """SHA-256 of a raw record."""
    return hashlib.sha256(payload).hexdigest()


_MESSAGE_FIELDS = ("role", "content", "reasoning", "tool_calls", "tool_call_id", "name")


def conversation_hash(messages: Sequence[Mapping[str, Any]], tools: str | None) -> str:
    """SHA-256 of messages and tools exactly as they are; absent fields count as null, empty call lists too."""
    plain = [[m.get(f) or None if f == "tool_calls" else m.get(f) for f in _MESSAGE_FIELDS] for m in messages]
    return hashlib.sha256(canonical([plain, tools])).hexdigest()


class RowDigests:
    """16-byte digests, one a row, in any order. Memory: 16 bytes a row, twice that while they are sorted."""

    def __init__(self) -> None:
        self._rows = bytearray()

    def add(self, row: bytes) -> None:
        assert len(row) == 16
        self._rows += row

    def hexdigest(self) -> str:
        """blake2b of all of them in ascending order."""
        ordered = np.sort(np.frombuffer(self._rows, "S16"))
        return hashlib.blake2b(ordered.tobytes(), digest_size=16).hexdigest()


_VERSIONED = ("row_id", "content_hash", "parent_row_id", "kind", "language", "license", "meta", "split")


class DataVersion:
    """Accumulates the data version of a partition: a hash of its rows, whatever their order.

    A row counts with its id, its content hash and its small attributes (kind, language, licence, meta),
    so that a changed licence moves the version as a changed text does. Memory: that of RowDigests.
    """

    def __init__(self) -> None:
        self._rows = RowDigests()

    def update(self, batch: pa.RecordBatch) -> None:
        names = [n for n in _VERSIONED if n in batch.schema.names] or batch.schema.names
        columns = [batch.column(n).to_pylist() for n in names]
        for values in zip(*columns, strict=True):
            self._rows.add(hashlib.blake2b(canonical(values), digest_size=16).digest())

    def hexdigest(self) -> str:
        return self._rows.hexdigest()


def stage_version(
    stage: str,
    code_version: str,
    config: Mapping[str, Any],
    inputs: Mapping[str, str],
    models: Iterable[str] = (),
) -> str:
    """What a stage's output depends on: inputs by partition, declared code version, config, models and rule files."""
    return digest([stage, code_version, config, inputs, sorted(models)])
