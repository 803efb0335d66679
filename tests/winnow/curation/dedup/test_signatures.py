import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_copies import near_copies

from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.shingles import ShingleSets, constants, shingle_sets
from winnow.curation.dedup.signatures import band_hashes, estimate_jaccard, signatures

PERMUTATIONS = 256


def overlapping(size: int, jaccard: float, seed: int) -> ShingleSets:
    """Two sets of `size` elements each with this Jaccard similarity."""
    shared = round(2 * size * jaccard / (1 + jaccard))
    elements = constants(seed, 2 * size - shared)
    sets = [np.sort(elements[:size]), np.sort(elements[size - shared :])]
    return ShingleSets(np.concatenate(sets), np.array([0, size, 2 * size]))


@pytest.mark.parametrize("size", [300, 100_000])
@pytest.mark.parametrize("jaccard", [0.3, 0.7, 0.95])
def test_the_estimate_is_unbiased_on_small_and_large_sets(size: int, jaccard: float) -> None:
    rounds = 40 if size < 1000 else 6
    estimates = []
    for seed in range(rounds):
        signed = signatures(overlapping(size, jaccard, 1000 + seed), PERMUTATIONS, seed)
        estimates.append(estimate_jaccard(signed[0], signed[1]))
    error = np.sqrt(jaccard * (1 - jaccard) / PERMUTATIONS)
    assert max(abs(e - jaccard) for e in estimates) < 4 * error
    assert abs(np.mean(estimates) - jaccard) < 4 * error / np.sqrt(rounds)


@given(near_copies())
def test_a_signature_does_not_depend_on_its_batch(texts: list[str]) -> None:
    together = signatures(shingle_sets(texts), 32, 7)
    for index, text in enumerate(texts):
        assert together[index].tolist() == signatures(shingle_sets([text]), 32, 7)[0].tolist()


def test_a_signature_is_the_minimum_of_each_permutation() -> None:
    sets = shingle_sets(["", "a b c d e f g", " ".join(map(str, range(40_000))), "x"])
    drawn = [int(c) & 0xFFFFFFFF for c in constants(5, 6)]
    for index in range(len(sets)):
        halves = [int(h) & 0xFFFFFFFF for h in sets[index]]
        for permutation, row in enumerate(signatures(sets, 3, 5)[index].tolist()):
            a, b = drawn[permutation] | 1, drawn[3 + permutation]
            assert row == min(((a * h + b) % 2**32 for h in halves), default=2**32 - 1)


@given(st.integers(1, 6), st.integers(1, 5))
def test_bands_agree_where_their_rows_do(bands: int, rows: int) -> None:
    rng = np.random.default_rng(bands * 10 + rows)
    signed = rng.integers(0, 2, (30, bands * rows), dtype=np.uint32)
    hashed = band_hashes(signed, bands, rows, 3)
    for band in range(bands):
        part = signed[:, band * rows : (band + 1) * rows]
        for other in range(30):
            equal = (part == part[other]).all(axis=1)
            assert (hashed[:, band] == hashed[other, band]).tolist() == equal.tolist()
    assert len(np.unique(hashed)) == sum(len(np.unique(hashed[:, b])) for b in range(bands))


@pytest.mark.parametrize(("jaccard", "bands", "rows"), [(0.7, 36, 7), (0.7, 42, 6), (0.4, 36, 7)])
def test_bands_propose_as_often_as_the_formula_says(jaccard: float, bands: int, rows: int) -> None:
    trials = 300
    hits = 0
    for seed in range(trials):
        signed = signatures(overlapping(200, jaccard, seed), bands * rows, 100 + seed)
        hashed = band_hashes(signed, bands, rows, 1)
        hits += bool((hashed[0] == hashed[1]).any())
    rate = DedupConfig(bands=bands, rows_per_band=rows).recall(jaccard)
    assert abs(hits / trials - rate) < 4 * np.sqrt(rate * (1 - rate) / trials) + 1 / trials
