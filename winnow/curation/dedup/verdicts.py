"""Duplicates over all sources: fingerprint every row, find candidates, verify, say what became of each."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from winnow.core.cached import CacheUse, ResultCache
from winnow.core.progress import Progress
from winnow.core.runner import bounded, worker_count
from winnow.core.stage import Verdict, verdict_batch
from winnow.curation.dedup.candidates import chunks, components, first_copies
from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.fingerprint_cache import all_fingerprints
from winnow.curation.dedup.greedy import judge_chunk
from winnow.curation.dedup.spill import SpillReader, SpillWriter
from winnow.curation.dedup.tasks import Task, in_order

_BATCH_BYTES = 1 << 20
_BATCH_ROWS = 512
_CHUNK_ROWS = 1024
_VERDICT_ROWS = 4096


def judge_duplicates(
    batches: Iterable[tuple[str, pa.RecordBatch]],
    config: DedupConfig,
    spill: Path,
    workers: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    cache: ResultCache | None = None,
    use: CacheUse | None = None,
) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
    """For each source, in input order, the verdicts on those of its rows that are duplicates.

    `batches` gives (source, batch in the row form) in keep order, each source in one piece. A row is
    dropped if and only if a row kept before it has the same canonical conversation (`exact-duplicate`, score
    1), or is a candidate with an exact Jaccard similarity of at least the threshold (`near-duplicate`);
    `matched_id` is the kept row of the highest score, the earliest of equals. A copy of a row that was itself
    dropped shares its verdict. Rows without tokens are kept. The result does not depend on batch sizes,
    workers or the cache of fingerprints by `content_hash`, of which `use` counts hits and misses.

    `spill` is a folder of the caller's, in the restricted zone, to be removed once all iterators are
    exhausted. Memory: about 100 bytes a row, and a few batches a worker. Raises RunError when the disk is
    full or a worker is killed, DataError for a row without a proper id.
    """
    workers = worker_count(workers)
    bounds: dict[str, tuple[int, int]] = {}
    parts = _numbered_parts(batches, bounds)
    with SpillWriter(spill, config) as writer:
        for prints in all_fingerprints(parts, config, workers, executor, cache, use):
            writer.append(prints)
            if progress:
                progress.add(len(prints.marks))
    found = _find_duplicates(config, spill, workers, executor)
    for source, (start, end) in bounds.items():
        yield source, _source_verdicts(source, start, end, found, spill, config)


def _numbered_parts(
    batches: Iterable[tuple[str, pa.RecordBatch]], bounds: dict[str, tuple[int, int]]
) -> Iterator[pa.RecordBatch]:
    """All rows in small batches; notes the first and end row number of each source in `bounds`."""
    taken = 0
    for source, batch in batches:
        start, end = bounds.get(source, (taken, taken))
        if end != taken:
            raise ValueError(f"source {source!r} comes in two pieces; give each source in one")
        taken += batch.num_rows
        bounds[source] = (start, taken)
        rows = (batch.slice(at, _BATCH_ROWS) for at in range(0, batch.num_rows, _BATCH_ROWS))
        yield from bounded(rows, _BATCH_BYTES)


class _Found:
    """For each row the first row of its exact key; what that first row lost to (-1: kept), and the score."""

    def __init__(self, first: Any) -> None:
        self._first = first
        self._matched = np.full(len(first), -1)
        self._scores = np.ones(len(first))

    def add(self, rows: Any, matched: Any, scores: Any) -> None:
        self._matched[rows] = matched
        self._scores[rows] = scores

    def slice(self, start: int, end: int) -> tuple[Any, Any, Any, Any]:
        """The dropped rows of a range: numbers, whether exact, matched rows and scores.

        A copy of a row that was itself dropped resembles nothing kept but what that row lost to.
        """
        rows = np.arange(start, end)
        first = self._first[start:end]
        near = self._matched[first] >= 0
        dropped = near | (first != rows)
        matched = np.where(near, self._matched[first], first)
        return rows[dropped], ~near[dropped], matched[dropped], self._scores[first][dropped]


def _find_duplicates(config: DedupConfig, spill: Path, workers: int, executor: Executor | None) -> _Found:
    with SpillReader(spill, config) as reader:
        first, filled = first_copies(reader)
        chosen = filled & (first == np.arange(reader.rows))
        rows, starts = components(reader, config.bands, chosen)
    found = _Found(first)
    tasks = (
        Task(judge_chunk, (spill, part, config), len(part)) for part in chunks(rows, starts, _CHUNK_ROWS)
    )
    for drops in in_order(tasks, workers, executor):
        found.add(drops.rows, drops.matched, drops.scores)
    return found


def _source_verdicts(
    source: str, start: int, end: int, found: _Found, spill: Path, config: DedupConfig
) -> Iterator[pa.RecordBatch]:
    with SpillReader(spill, config) as reader:
        for low in range(start, end, _VERDICT_ROWS):
            high = min(low + _VERDICT_ROWS, end)
            rows, exact, matched, scores = found.slice(low, high)
            if not len(rows):
                continue
            ids = reader.row_ids(low, high - low)
            yield verdict_batch(
                [
                    Verdict(
                        row_id=ids[row - low],
                        source=source,
                        decision="drop",
                        rule="exact-duplicate" if same else "near-duplicate",
                        score=score,
                        matched_id=reader.row_ids(kept, 1)[0],
                    )
                    for row, same, kept, score in zip(
                        rows.tolist(), exact.tolist(), matched.tolist(), scores.tolist(), strict=True
                    )
                ]
            )
