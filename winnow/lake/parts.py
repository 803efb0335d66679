"""Parquet files of one contract: rows cast to it, in small row groups, rotated by size."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schemas.contract import Contract
from winnow.core.errors import DataError, near_miss
from winnow.lake.faults import named_faults
from winnow.lake.head import FileRef
from winnow.lake.zone import Zone

Sizes = np.ndarray[Any, np.dtype[np.int64]]

GROUP_ROWS = 2_048
GROUP_BYTES = 4 << 20
FILE_BYTES = 256 << 20
"""What bounds a reader's memory (a row group) and a copy's (a file)."""


def conform(batch: pa.RecordBatch, contract: Contract, values: Mapping[str, str]) -> pa.RecordBatch:
    """The batch as a data file of the contract holds it: contract order and types, no partition columns.

    A missing column is filled with nulls where they are allowed. Raises DataError for an unknown or missing
    column, a null where none may be, a value that does not fit, or a row of another partition; the message
    names columns and never a value.
    """
    for name in batch.schema.names:
        if name not in contract.names:
            raise DataError(
                f"{contract.table} has no column `{name}`.{near_miss(name, contract.names)} "
                "Add it to the contract in schemas/, or leave it out."
            )
    for name, value in values.items():
        if name in batch.schema.names and not _is_constant(batch.column(name), value):
            raise DataError(f"{contract.table}: a row of partition {name}={value} carries another {name}.")
    columns = [_column(batch, field, contract.table) for field in contract.file_schema()]
    return pa.RecordBatch.from_arrays(columns, schema=contract.file_schema())


def _is_constant(column: Any, value: str) -> bool:
    return column.null_count == 0 and bool(
        pc.all(pc.equal(column, pa.scalar(value, column.type))).as_py() is not False
    )


def _column(batch: pa.RecordBatch, field: Any, table: str) -> Any:
    if field.name not in batch.schema.names:
        if field.nullable:
            return pa.nulls(batch.num_rows, field.type)
        raise DataError(f"{table}: column `{field.name}` is missing and may not be null.")
    column = batch.column(field.name)
    if column.null_count and not field.nullable:
        raise DataError(f"{table}: column `{field.name}` holds {column.null_count} nulls and allows none.")
    try:
        return column.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        # Arrow's own message quotes the value, which may be what must not be seen
        raise DataError(
            f"{table}: column `{field.name}` of {column.type} does not fit {field.type}."
        ) from None


def row_bytes(column: Any) -> Sizes:
    """Bytes of text and binary in each row, nested ones included; eight for any other value."""
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return np.asarray(pc.fill_null(pc.binary_length(column), 0), dtype=np.int64)
    if pa.types.is_list(kind):
        lengths = np.asarray(pc.fill_null(pc.list_value_length(column), 0), dtype=np.int64)
        upto = np.concatenate([[0], np.cumsum(row_bytes(column.flatten()))])
        ends = np.cumsum(lengths)
        return np.asarray(upto[ends] - upto[ends - lengths], dtype=np.int64)
    if pa.types.is_struct(kind):
        return _summed(column.flatten(), len(column))
    return np.full(len(column), 8, dtype=np.int64)


def _summed(columns: Iterable[Any], rows: int) -> Sizes:
    total = np.zeros(rows, dtype=np.int64)
    for column in columns:
        total += row_bytes(column)
    return total


class PartWriter:
    """Writes `<stem>-00000.parquet`, `<stem>-00001.parquet`, ... under a folder of a zone.

    Row groups end at 2,048 rows or 4 MiB of text, files at 256 MiB, wherever the batches end: the same
    rows give the same files. Without any row there is one file with none.
    """

    def __init__(
        self, zone: Zone, folder: str, stem: str, contract: Contract, footer: Mapping[str, str]
    ) -> None:
        self._zone, self._folder, self._stem = zone, folder, stem
        self._schema = contract.file_schema().with_metadata(dict(footer))
        self._pending: list[pa.RecordBatch] = []
        self._pending_rows = self._pending_bytes = 0
        self._file: Any = None
        self._writer: Any = None
        self._rows = 0
        self.files: list[FileRef] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Takes rows that `conform` has returned."""
        if not batch.num_rows:
            return
        sizes = _summed(batch.columns, batch.num_rows)
        start = 0
        for row, size in enumerate(sizes.tolist()):
            if self._pending_rows and (
                self._pending_rows >= GROUP_ROWS or self._pending_bytes + size > GROUP_BYTES
            ):
                self._pend(batch, start, row)
                self._flush()
                start = row
            self._pending_rows += 1
            self._pending_bytes += size
        self._pend(batch, start, batch.num_rows)

    def close(self) -> list[FileRef]:
        """The files written, in order; their paths are relative to the zone's root."""
        self._flush()
        if not self.files and self._writer is None:
            self._open()
        self._finish()
        return self.files

    def abort(self) -> None:
        """Gives up: closes what is open; the caller deletes the folder."""
        if self._writer is not None:
            self._pending = []
            self._finish()

    def _pend(self, batch: pa.RecordBatch, start: int, end: int) -> None:
        if end > start:
            self._pending.append(batch.slice(start, end - start))

    def _flush(self) -> None:
        if not self._pending:
            return
        if self._writer is None:
            self._open()
        rows = pa.Table.from_batches(self._pending)
        with named_faults(self._zone.settings, f"writing {self._folder}"):
            self._writer.write_table(rows, row_group_size=max(rows.num_rows, 1))
        self._rows += rows.num_rows
        self._pending, self._pending_rows, self._pending_bytes = [], 0, 0
        if self._file.tell() >= FILE_BYTES:
            self._finish()

    def _open(self) -> None:
        self._file = self._zone.create(self._path())
        self._writer = pq.ParquetWriter(self._file, self._schema, compression="zstd", compression_level=3)
        self._rows = 0

    def _finish(self) -> None:
        if self._writer is None:
            return
        path = self._path()
        with named_faults(self._zone.settings, f"writing {path}"):
            self._writer.close()
            size = self._file.tell()
            self._file.close()
        self.files.append(FileRef(path, size, self._rows))
        self._writer = self._file = None

    def _path(self) -> str:
        return f"{self._folder}/{self._stem}-{len(self.files):05d}.parquet"
