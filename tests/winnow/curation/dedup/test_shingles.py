import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_copies import near_copies, shingles_of, similarity

from winnow.curation.dedup.shingles import containment, jaccard, shingle_sets


@given(near_copies(), st.sampled_from([1, 2, 5]))
def test_similarity_is_that_of_the_shingle_sets(texts: list[str], ngram: int) -> None:
    sets = shingle_sets(texts, ngram)
    plain = [shingles_of(t, ngram) for t in texts]
    assert sets.sizes.tolist() == [len(p) for p in plain]
    for i in range(len(texts)):
        for k in range(len(texts)):
            assert jaccard(sets[i], sets[k]) == similarity(plain[i], plain[k])
            smaller = min(len(plain[i]), len(plain[k])) or 1
            assert containment(sets[i], sets[k]) == len(plain[i] & plain[k]) / smaller


@given(near_copies())
def test_a_text_has_the_same_shingles_in_any_company(texts: list[str]) -> None:
    together = shingle_sets(texts)
    for index, text in enumerate(texts):
        assert together[index].tolist() == shingle_sets([text])[0].tolist()


FROZEN = [3327672988305495555, 4382964169815108724, 9924541242519701687, 12174918409752596858]


@pytest.mark.parametrize(("a", "b", "expected"), [("cat", "dog", 0.0), ("cat", "cat", 1.0), ("", "", 0.0)])
def test_short_texts_are_one_shingle_and_empty_ones_none(a: str, b: str, expected: float) -> None:
    sets = shingle_sets([a, b])
    assert jaccard(sets[0], sets[1]) == expected


def test_a_short_text_is_no_part_of_a_longer_one() -> None:
    sets = shingle_sets(["a b c d", "a b c d e", "a b c"])
    assert [jaccard(sets[0], sets[1]), jaccard(sets[0], sets[2])] == [0.0, 0.0]


def test_operators_and_numbers_count() -> None:
    sets = shingle_sets(["return a + b if a > 10 else a * b - 3", "return a - b if a < 99 else a / b + 7"])
    assert jaccard(sets[0], sets[1]) == 0.0


def test_shingles_are_frozen() -> None:
    """Stored hashes of an earlier version must stay comparable."""
    shingles = shingle_sets(["def f(x):\n    return x", "漢字"])
    assert shingles.hashes[:3].tolist() == FROZEN[:3]
    assert shingles[1].tolist() == FROZEN[3:]
    assert shingles.hashes.dtype == np.uint64
