"""What is kept of a row while duplicates are sought: no text, only hashes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from winnow.core.errors import DataError
from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.conversation import canonical_rows
from winnow.curation.dedup.shingles import shingle_sets
from winnow.curation.dedup.signatures import band_hashes, signatures

COLUMNS = ("row_id", "messages", "tools")
"""The columns of the row form that deduplication reads."""


def mark_type(config: DedupConfig) -> Any:
    """One fixed-size record a row: where its shingles lie, how many, its band hashes and its sketch."""
    return np.dtype(
        [
            ("at", "<i8"),
            ("size", "<i8"),
            ("bands", "<u8", (config.bands,)),
            ("sketch", "u1", (config.effective_permutations,)),
        ]
    )


@dataclass(frozen=True)
class Fingerprints:
    """A batch, row by row: id (16 bytes), exact key (32 bytes), mark; and the shingles of its rows."""

    ids: bytes
    keys: bytes
    marks: Any
    shingles: Any


def fingerprints(ipc: bytes, config: DedupConfig) -> Fingerprints:
    """The fingerprints of a batch that comes as an Arrow stream; runs in a worker."""
    batch = pa.ipc.open_stream(ipc).read_next_batch()
    keys, texts = [], []
    for key, text in canonical_rows(batch):
        keys.append(key)
        texts.append(text)
    sets = shingle_sets(texts, config.ngram)
    signed = signatures(sets, config.effective_permutations, config.seed)
    marks = np.zeros(len(sets), mark_type(config))
    marks["at"] = sets.offsets[:-1]
    marks["size"] = sets.sizes
    marks["bands"] = band_hashes(signed, config.bands, config.rows_per_band, config.seed)
    marks["sketch"] = signed & np.uint32(0xFF)
    return Fingerprints(packed_ids(batch), b"".join(keys), marks, sets.hashes)


def packed_ids(batch: pa.RecordBatch) -> bytes:
    """The row ids, 16 bytes each. Raises DataError for one that is not 32 hex digits."""
    names: list[Any] = batch.column("row_id").to_pylist()
    try:
        packed = b"".join(map(bytes.fromhex, names))
    except (TypeError, ValueError):
        packed = b""
    if len(packed) != 16 * len(names):
        raise DataError(
            "a `row_id` is not 32 hex digits; deduplicate a table of the row form, from `sanitized` on"
        )
    return packed
