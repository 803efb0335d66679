"""The held-out rows by shingle: which of them a text nearly contains, or is nearly contained in."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from winnow.core.identity import canonical
from winnow.curation.dedup.shingles import ShingleSets, shingle_sets
from winnow.curation.split.config import SplitConfig
from winnow.curation.split.plan import PLACE_COLUMNS, Scan, SplitPlan, plan_split
from winnow.curation.text import batch_texts


@dataclass(frozen=True)
class HeldoutIndex:
    """An inverted index: distinct sorted shingles, and for each a run of held-out row numbers.

    Numbers follow `row_ids`, which is sorted, so the index is the same for any order of the rows.
    """

    plan: SplitPlan
    row_ids: tuple[str, ...]
    sizes: Any
    shingles: Any
    runs: Any
    numbers: Any

    def digest(self) -> str:
        """Part of the stage version: a hash of the plan, the held-out rows and their shingles."""
        hasher = hashlib.blake2b(canonical([self.plan.as_dict(), self.row_ids]), digest_size=16)
        for array in (self.sizes, self.shingles, self.runs, self.numbers):
            hasher.update(array.tobytes())
        return hasher.hexdigest()

    def nearest(self, texts: ShingleSets) -> list[tuple[str, float] | None]:
        """For each text the held-out row of the highest containment, if any shares a shingle."""
        if not len(self.shingles):
            return [None] * len(texts)
        places = np.searchsorted(self.shingles, texts.hashes)
        known = self.shingles.take(places, mode="clip") == texts.hashes
        return [self._nearest(places[a:b][known[a:b]], b - a) for a, b in _spans(texts)]

    def _nearest(self, places: Any, size: int) -> tuple[str, float] | None:
        if not len(places):
            return None
        begins, lengths = self.runs[places], self.runs[places + 1] - self.runs[places]
        steps = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        shared = np.bincount(self.numbers[np.repeat(begins, lengths) + steps], minlength=len(self.sizes))
        contained = shared / np.minimum(np.maximum(self.sizes, 1), size)
        best = int(contained.argmax())
        return self.row_ids[best], float(contained[best])


def _spans(texts: ShingleSets) -> list[tuple[int, int]]:
    bounds = texts.offsets.tolist()
    return list(pairwise(bounds))


def build_heldout_index(scan: Scan, config: SplitConfig) -> HeldoutIndex:
    """Reads the layer three times: ids twice, then ids and text to take up the rows that are held out.

    Memory: the index, about 24 bytes a shingle of at most `max_heldout_rows` rows.
    """
    plan = plan_split(scan, config)
    rows: list[tuple[str, Any]] = []
    for batch in scan((*PLACE_COLUMNS, "messages")):
        chosen = [place == "heldout-group" for place in plan.places(batch)]
        if any(chosen):
            held = batch.filter(pa.array(chosen))
            sets = shingle_sets(batch_texts(held), config.ngram)
            rows.extend((name, sets[i].copy()) for i, name in enumerate(_names(held)))
    return index_shingles(plan, sorted(rows, key=lambda row: row[0]))


def _names(batch: pa.RecordBatch) -> list[str]:
    names: list[Any] = batch.column("row_id").to_pylist()
    return names


def index_shingles(plan: SplitPlan, rows: Sequence[tuple[str, Any]]) -> HeldoutIndex:
    """The index of rows given as id and shingle set."""
    sizes = np.array([len(shingles) for _, shingles in rows], np.int64)
    flat = np.concatenate([np.zeros(0, np.uint64), *(shingles for _, shingles in rows)])
    order = np.argsort(flat, kind="stable")
    numbers = np.repeat(np.arange(len(rows), dtype=np.int32), sizes)[order]
    distinct, starts = np.unique(flat[order], return_index=True)
    runs = np.append(starts, len(flat)).astype(np.int64)
    return HeldoutIndex(plan, tuple(name for name, _ in rows), sizes, distinct, runs, numbers)
