"""Fingerprints by content: a row seen before costs a look-up, whatever it is called and wherever it comes from."""

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pyarrow as pa

from winnow.core.cached import CacheUse, ResultCache, Values, looked_up
from winnow.core.identity import digest
from winnow.curation.dedup.config import CODE_VERSION, DedupConfig
from winnow.curation.dedup.fingerprints import COLUMNS, Fingerprints, fingerprints, mark_type, packed_ids
from winnow.curation.dedup.tasks import Task, in_order

_KEY = 32
_SHINGLE = np.dtype("<u8")


def fingerprint_identity(config: DedupConfig) -> str:
    """What a fingerprint depends on beside its row: equal identities may share a cache."""
    shape = [config.ngram, config.bands, config.rows_per_band, config.seed]
    return digest([CODE_VERSION, shape, str(mark_type(config))])


def all_fingerprints(
    parts: Iterator[pa.RecordBatch],
    config: DedupConfig,
    workers: int,
    executor: Executor | None = None,
    cache: ResultCache | None = None,
    use: CacheUse | None = None,
) -> Iterator[Fingerprints]:
    """The fingerprints of each batch, in order; with a cache, only of rows that it does not know.

    The cache is keyed by `content_hash`, a column that batches need then; it holds the exact key, the mark and
    the shingles, about two bytes for a byte of text.
    """
    if cache is None:
        yield from _computed(parts, config, workers, executor)
        return

    def compute(missing: Iterator[pa.RecordBatch]) -> Iterator[Values]:
        return map(_pack, _computed(missing, config, workers, executor))

    for batch, values in looked_up(parts, _content_keys, compute, cache, use or CacheUse()):
        yield _unpack(packed_ids(batch), values, config)


def _computed(
    parts: Iterator[pa.RecordBatch], config: DedupConfig, workers: int, executor: Executor | None
) -> Iterator[Fingerprints]:
    tasks = (Task(fingerprints, (_to_ipc(part), config), part.num_rows) for part in parts)
    return in_order(tasks, workers, executor)


def _to_ipc(batch: pa.RecordBatch) -> bytes:
    columns = batch.select(list(COLUMNS))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, columns.schema) as writer:
        writer.write_batch(columns)
    return bytes(sink.getvalue().to_pybytes())


def _content_keys(batch: pa.RecordBatch) -> list[bytes]:
    hashes: list[Any] = batch.column("content_hash").to_pylist()
    return [bytes.fromhex(value)[:16] for value in hashes]


def _pack(prints: Fingerprints) -> Values:
    """Exact key, mark and shingles of each row."""
    marks, values = prints.marks.copy(), []
    starts, ends = marks["at"], marks["at"] + marks["size"]
    places = list(zip(starts.tolist(), ends.tolist(), strict=True))
    marks["at"] = 0
    for row, (start, end) in enumerate(places):
        key = prints.keys[_KEY * row : _KEY * (row + 1)]
        values.append(key + marks[row].tobytes() + prints.shingles[start:end].tobytes())
    return values


def _unpack(ids: bytes, values: Values, config: DedupConfig) -> Fingerprints:
    shingles_at = _KEY + mark_type(config).itemsize
    marks = np.frombuffer(b"".join([v[_KEY:shingles_at] for v in values]), mark_type(config)).copy()
    marks["at"] = np.cumsum(marks["size"]) - marks["size"]
    shingles = np.frombuffer(b"".join([v[shingles_at:] for v in values]), _SHINGLE)
    return Fingerprints(ids, b"".join([v[:_KEY] for v in values]), marks, shingles)
