"""The keep rule: in keep order, a row goes if and only if a candidate kept before it is similar enough.

A row is compared only with rows that were kept, so a bucket of copies costs its size times the few that are
kept, and no chain of similar rows removes a row that resembles nothing kept. Two filters spare most exact
comparisons: a pair is skipped if its sizes alone rule the threshold out, or if its sketches lie 4.5 standard
errors under it, which is so for one pair in 10^5 at the threshold itself and for next to none above.
"""

from array import array
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.shingles import jaccard
from winnow.curation.dedup.spill import SpillReader

_CACHE_BYTES = 32 << 20
_SKETCH_ERRORS = 4.5


@dataclass(frozen=True)
class Drops:
    """Rows that go, the kept row that each resembles most, and their exact Jaccard similarity."""

    rows: Any
    matched: Any
    scores: Any


def judge_chunk(spill: Path, rows: Any, config: DedupConfig) -> Drops:
    """The drops among whole groups of candidates, `rows` in any order; runs in a worker."""
    rows = np.sort(rows)
    with SpillReader(spill, config) as reader:
        chunk = _Chunk(reader, reader.marks(rows), config)
        matches = [chunk.judge(index) for index in range(len(rows))]
    dropped = [i for i, match in enumerate(matches) if match is not None]
    found = [m for m in matches if m is not None]
    places = np.array([place for place, _ in found], np.int64)
    scores = np.array([score for _, score in found], np.float64)
    return Drops(rows[np.array(dropped, np.int64)], rows[places], scores)


class _Chunk:
    """Rows of some groups, their candidates by shared band, and who was kept so far."""

    def __init__(self, reader: SpillReader, marks: Any, config: DedupConfig) -> None:
        self._reader = reader
        self._threshold = config.threshold
        self._at = marks["at"].tolist()
        self._sizes = marks["size"]
        self._sketches = marks["sketch"]
        self._floor = _sketch_floor(config)
        self._buckets = _shared_buckets(marks["bands"])
        self._kept: dict[int, array[int]] = {}
        self._cache: OrderedDict[int, Any] = OrderedDict()
        self._cached = 0

    def judge(self, index: int) -> tuple[int, float] | None:
        """The kept row that this one duplicates, with their similarity; none if it is kept itself."""
        best, score = -1, 0.0
        for candidate in self._candidates(index):
            similarity = jaccard(self._shingles(index), self._shingles(candidate))
            if similarity >= self._threshold and similarity > score:
                best, score = candidate, similarity
        if best >= 0:
            return best, score
        for bucket in self._buckets[index]:
            self._kept.setdefault(bucket, array("q")).append(index)
        return None

    def _candidates(self, index: int) -> list[int]:
        """Rows kept before that share a bucket and pass both filters, in keep order."""
        shared = [self._kept[b] for b in self._buckets[index] if b in self._kept]
        if not shared:
            return []
        found = np.unique(np.frombuffer(b"".join(shared), np.int64))
        sizes, own = self._sizes[found], self._sizes[index]
        found = found[np.minimum(sizes, own) / np.maximum(sizes, own) >= self._threshold]
        equal = np.count_nonzero(self._sketches[found] == self._sketches[index], axis=1)
        return found[equal >= self._floor].tolist()  # type: ignore[no-any-return]

    def _shingles(self, index: int) -> Any:
        if index in self._cache:
            self._cache.move_to_end(index)
            return self._cache[index]
        shingles = self._reader.shingles(self._at[index], int(self._sizes[index]))
        self._cache[index] = shingles
        self._cached += shingles.nbytes
        while self._cached > _CACHE_BYTES and len(self._cache) > 2:
            self._cached -= self._cache.popitem(last=False)[1].nbytes
        return shingles


def _sketch_floor(config: DedupConfig) -> float:
    """Equal bytes of two sketches that a pair at the threshold hardly ever falls short of.

    Bytes are equal where minima are, and by chance in one of 256 other places.
    """
    count = config.effective_permutations
    share = config.threshold + (1 - config.threshold) / 256
    return float(count * share - _SKETCH_ERRORS * np.sqrt(count * share * (1 - share)))


def _shared_buckets(bands: Any) -> list[list[int]]:
    """For each row the numbers of the buckets that hold another row too."""
    _, bucket, sizes = np.unique(bands.ravel(), return_inverse=True, return_counts=True)
    shared = np.where(sizes[bucket] > 1, bucket, -1).reshape(bands.shape)
    return [[b for b in row if b >= 0] for row in shared.tolist()]
