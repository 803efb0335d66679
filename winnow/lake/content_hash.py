"""`winnow hash`: what a table says, whatever files, chunks, workers or store it lies in.

The encoding, in full. A value is a type tag, its length in ASCII, a colon and its bytes: `s` UTF-8 text,
`b` bytes, `i` a decimal integer (a timestamp is its microseconds since 1970 in UTC), `f` a float in C99
hexadecimal, `t` a boolean as 1 or 0, `l` a list as its encoded items, `m` a struct as its encoded names and
values by sorted name, `n` null. It is `winnow.core.identity.canonical`, computed a column at a time. A row is
its values in contract order, one after another, operational columns left out. It is hashed to 32 bytes:
blake2b-128 of its partition and key values, then blake2b-128 of the row. The table is blake2b-256 of the
encoded list of column names followed by the 32 bytes of every row in ascending order.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.contract import Contract
from winnow.core.identity import canonical
from winnow.lake.lake import Lake, TableHead

_NULL = b"n0:"
_ROW_BYTES = 32


@dataclass(frozen=True)
class TableHash:
    """The content of a table: `hexdigest` over all rows, and one digest a partition."""

    table: str
    rows: int
    hexdigest: str
    sources: dict[str, str] = field(default_factory=dict)


class RowHashes:
    """Accumulates the content hash of rows in any order. Memory: 32 bytes a row."""

    def __init__(self, contract: Contract) -> None:
        self.columns = [c.name for c in contract.columns if not c.operational]
        self._key = [self.columns.index(k) for k in (*contract.partition_by, *contract.key)]
        self._rows = bytearray()

    def __len__(self) -> int:
        return len(self._rows) // _ROW_BYTES

    def update(self, batch: pa.RecordBatch) -> None:
        """Add rows; `batch` holds every column that is hashed, in any order."""
        encoded = [encode(batch.column(name)) for name in self.columns]
        for values in zip(*encoded, strict=True):
            key = b"".join([values[i] for i in self._key])
            self._rows += hashlib.blake2b(key, digest_size=16).digest()
            self._rows += hashlib.blake2b(b"".join(values), digest_size=16).digest()

    def merge(self, other: "RowHashes") -> None:
        """Add all rows of another accumulator of the same contract."""
        self._rows += other._rows

    def hexdigest(self) -> str:
        words = np.frombuffer(bytes(self._rows), dtype=">u8").reshape(-1, 4)
        order = np.lexsort(tuple(words[:, i] for i in (3, 2, 1, 0)))
        table = hashlib.blake2b(canonical(self.columns), digest_size=32)
        table.update(np.ascontiguousarray(words[order]).tobytes())
        return table.hexdigest()


def hash_table(
    lake: Lake, contract: Contract, sources: Sequence[str] | None = None, head: TableHead | None = None
) -> TableHash:
    """The content hash of a table at its head, or at `head`; of the partitions in `sources` where given.

    Equal for any order, chunking, file split, number of workers and store. A table that was never published
    hashes as an empty one.

    Raises:
        DataError: the table was written by something else.
    """
    pinned = head if head is not None else lake.head(contract.table)
    names = sorted(pinned.partitions if sources is None else set(sources) & set(pinned.partitions))
    total = RowHashes(contract)
    digests: dict[str, str] = {}
    for name in names:
        part = RowHashes(contract)
        for batch in lake.scan(contract.table, sources=[name], columns=total.columns, head=pinned):
            part.update(batch)
        digests[name] = part.hexdigest()
        total.merge(part)
    return TableHash(contract.table, len(total), total.hexdigest(), digests)


def encode(array: Any) -> list[bytes]:
    """The canonical encoding of each value; equal to `canonical` of the value as Python has it.

    >>> encode(pa.array(["ab", None, ""]))
    [b's2:ab', b'n0:', b's0:']
    """
    kind = array.type
    if pa.types.is_dictionary(kind):
        return encode(array.dictionary_decode())
    if pa.types.is_struct(kind):
        return _encode_structs(array)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _encode_lists(array)
    return _encode_scalars(array)


def _encode_scalars(array: Any) -> list[bytes]:
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        binary = array.cast(pa.large_binary() if pa.types.is_large_string(kind) else pa.binary())
        return [_NULL if v is None else b"s%d:%b" % (len(v), v) for v in binary.to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return [_NULL if v is None else b"b%d:%b" % (len(v), v) for v in array.to_pylist()]
    if pa.types.is_boolean(kind):
        return [_NULL if v is None else b"t1:1" if v else b"t1:0" for v in array.to_pylist()]
    if pa.types.is_timestamp(kind):
        array = array.cast(pa.timestamp("us", tz="UTC")).cast(pa.int64())
        kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind):
        return [canonical(v) for v in array.to_pylist()]
    raise TypeError(f"no canonical encoding for Arrow type {kind}")


def _encode_lists(array: Any) -> list[bytes]:
    items = encode(array.flatten())
    encoded: list[bytes] = []
    start = 0
    lengths: list[int | None] = pc.list_value_length(array).to_pylist()
    for length in lengths:
        if length is None:
            encoded.append(_NULL)
            continue
        body = b"".join(items[start : start + length])
        start += length
        encoded.append(b"l%d:%b" % (len(body), body))
    return encoded


def _encode_structs(array: Any) -> list[bytes]:
    fields: list[Any] = array.flatten()
    by_name = sorted((array.type.field(i).name, i) for i in range(array.type.num_fields))
    names = [canonical(name) for name, _ in by_name]
    columns = [encode(fields[i]) for _, i in by_name]
    encoded: list[bytes] = []
    for valid, values in zip(array.is_valid().to_pylist(), zip(*columns, strict=True), strict=True):
        body = b"".join([part for pair in zip(names, values, strict=True) for part in pair])
        encoded.append(b"m%d:%b" % (len(body), body) if valid else _NULL)
    return encoded
