"""MinHash signatures of shingle sets, and the hashes of their bands."""

from typing import Any

import numpy as np

from winnow.curation.dedup.shingles import ShingleSets, constants, mix

_BLOCK = 1 << 14
"""Shingles permuted at a time: few enough to stay in the first two levels of the cache."""


def signatures(sets: ShingleSets, permutations: int, seed: int) -> Any:
    """For each set the minimum of each permutation, uint32 of shape (sets, permutations).

    A permutation is x -> a x + b modulo 2^32 with odd a, over the low half of the shingle hashes: it is a
    bijection, so equal minima mean the same element, and the share of equal minima estimates the Jaccard
    similarity without bias until sets hold so many elements that halves of hashes collide (one pair in 2^32).
    The constants follow from `seed` alone. The empty set has the largest value throughout.
    """
    drawn = constants(seed, 2 * permutations)
    factors = (drawn[:permutations] & np.uint64(0xFFFFFFFF)).astype(np.uint32) | np.uint32(1)
    shifts = (drawn[permutations:] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    signed = np.full((permutations, len(sets)), 0xFFFFFFFF, np.uint32)
    filled = np.flatnonzero(sets.sizes)
    starts = sets.offsets[:-1][filled]
    at = 0
    while at < len(filled):
        end = max(at + 1, int(np.searchsorted(starts, starts[at] + _BLOCK)))
        stop = starts[end] if end < len(filled) else len(sets.hashes)
        elements = sets.hashes[starts[at] : stop].astype(np.uint32)
        signed[:, filled[at:end]] = _minima(elements, starts[at:end] - starts[at], factors, shifts)
        at = end
    return np.ascontiguousarray(signed.T)


def _minima(elements: Any, starts: Any, factors: Any, shifts: Any) -> Any:
    permuted = np.empty_like(elements)
    minima = np.empty((len(factors), len(starts)), np.uint32)
    for index in range(len(factors)):
        np.multiply(elements, factors[index], out=permuted)
        np.add(permuted, shifts[index], out=permuted)
        np.minimum.reduceat(permuted, starts, out=minima[index])
    return minima


def band_hashes(signed: Any, bands: int, rows_per_band: int, seed: int) -> Any:
    """A uint64 a band of each signature, of shape (sets, bands); the number of the band is hashed with it."""
    parts = signed[:, : bands * rows_per_band].reshape(len(signed), bands, rows_per_band)
    factors = constants(seed + 1, rows_per_band) | np.uint64(1)
    sums = np.tile(constants(seed + 2, bands), (len(signed), 1))
    for row in range(rows_per_band):
        sums += parts[:, :, row] * factors[row]
    return mix(sums)


def estimate_jaccard(a: Any, b: Any) -> float:
    """The share of equal minima of two signatures; its standard error is sqrt(J (1 - J) / permutations)."""
    return float(np.mean(a == b))
