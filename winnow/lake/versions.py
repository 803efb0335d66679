"""Data versions of what is no layer: verdict slices, counts and side tables, over all columns of a row."""

import hashlib
from collections.abc import Iterable

import pyarrow as pa

from schemas.contract import Contract
from winnow.core.identity import DataVersion, RowDigests, canonical


class ContentVersion:
    """Hash of all but the operational columns of every row, whatever the rows' order; 16 bytes a row."""

    def __init__(self, contract: Contract) -> None:
        self._names = [c.name for c in contract.columns if not c.operational]
        self._rows = RowDigests()

    def update(self, batch: pa.RecordBatch) -> None:
        columns = [batch.column(name).to_pylist() for name in self._names if name in batch.schema.names]
        for values in zip(*columns, strict=True):
            self._rows.add(hashlib.blake2b(canonical(values), digest_size=16).digest())

    def hexdigest(self) -> str:
        return self._rows.hexdigest()


def version_of(contract: Contract) -> DataVersion | ContentVersion:
    """The accumulator for a table: rows with a content hash are versioned by it, others by all they hold."""
    if {"row_id", "content_hash"} <= set(contract.names):
        return DataVersion()
    return ContentVersion(contract)


def removed_version(row_ids: Iterable[str]) -> str:
    """Hash of the rows that a slice of global verdicts takes out: equal survivors, equal version."""
    rows = RowDigests()
    for row_id in row_ids:
        rows.add(bytes.fromhex(row_id))
    return rows.hexdigest()
