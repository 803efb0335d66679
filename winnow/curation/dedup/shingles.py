"""Shingles: the set of hashes of all n-grams of tokens of a text. Exact similarities of such sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from winnow.curation.dedup.tokens import token_hashes

_SEED = 0x57696E6E6F770001


def mix(values: Any) -> Any:
    """The finalizer of MurmurHash3 (public domain) over a uint64 array, in place."""
    values ^= values >> np.uint64(33)
    values *= np.uint64(0xFF51AFD7ED558CCD)
    values ^= values >> np.uint64(33)
    values *= np.uint64(0xC4CEB9FE1A85EC53)
    values ^= values >> np.uint64(33)
    return values


def constants(seed: int, count: int) -> Any:
    """`count` uint64 numbers that a seed fixes for good."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    return mix(np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * golden)


@dataclass(frozen=True)
class ShingleSets:
    """The shingle sets of many texts: sorted distinct uint64 hashes, text by text, and where each begins."""

    hashes: Any
    offsets: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Any:
        return self.hashes[self.offsets[index] : self.offsets[index + 1]]

    @property
    def sizes(self) -> Any:
        return np.diff(self.offsets)


def shingle_sets(texts: Sequence[str], ngram: int = 5) -> ShingleSets:
    """The set of `ngram`-grams of each text.

    A text with fewer tokens is one shingle of them all, a text without tokens the empty set.

    >>> sets = shingle_sets(["a b c d e f", "a b", "a  b", ""])
    >>> sets.sizes.tolist(), jaccard(sets[1], sets[2])
    ([2, 1, 1, 0], 1.0)
    """
    tokens, counts = token_hashes(texts)
    ends = np.cumsum(counts)
    sizes = np.where(counts < ngram, np.minimum(counts, 1), counts - ngram + 1)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    hashes = np.zeros(offsets[-1], np.uint64)
    hashes[np.repeat(counts >= ngram, sizes)] = _window_sums(tokens, np.repeat(ends, counts), ngram)
    for index in np.flatnonzero((counts > 0) & (counts < ngram)):
        hashes[offsets[index]] = _short_hash(tokens[ends[index] - counts[index] : ends[index]], ngram)
    mix(hashes)
    return _distinct(hashes, offsets)


def _window_sums(tokens: Any, end_of_text: Any, ngram: int) -> Any:
    """Shifted multiply-add over the tokens of all texts, without the windows that run across texts."""
    factors = constants(_SEED, ngram) | np.uint64(1)
    windows = max(len(tokens) - ngram + 1, 0)
    sums = np.zeros(windows, np.uint64)
    for shift in range(ngram):
        sums += tokens[shift : shift + windows] * factors[shift]
    return sums[np.arange(ngram, ngram + windows) <= end_of_text[:windows]]


def _short_hash(tokens: Any, ngram: int) -> Any:
    factors = constants(_SEED, ngram) | np.uint64(1)
    length = constants(_SEED + 1, ngram)[len(tokens) :][:1]
    return np.append(tokens * factors[: len(tokens)], length).sum(dtype=np.uint64)


def _distinct(hashes: Any, offsets: Any) -> ShingleSets:
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        hashes[start:end].sort()
    first = np.ones(len(hashes), bool)
    first[1:] = hashes[1:] != hashes[:-1]
    starts = offsets[:-1]
    first[starts[starts < len(hashes)]] = True
    kept = np.concatenate([[0], np.cumsum(first)])
    return ShingleSets(hashes[first], kept[offsets])


def overlap(a: Any, b: Any) -> int:
    """How many elements two sorted sets share."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    if not len(small):
        return 0
    places = large.searchsorted(small)
    return int(np.count_nonzero(large.take(places, mode="clip") == small))


def jaccard(a: Any, b: Any) -> float:
    """|A ∩ B| / |A ∪ B|; 0 where either is empty."""
    shared = overlap(a, b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def containment(a: Any, b: Any) -> float:
    """|A ∩ B| / min(|A|, |B|); 0 where either is empty."""
    shared = overlap(a, b)
    return shared / min(len(a), len(b)) if shared else 0.0
