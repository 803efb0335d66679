from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sources.cap import cap_limit, rank


@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=200), st.integers(1, 50))
def test_the_limit_lets_through_exactly_the_smallest(ranks: list[int], cap: int):
    limit = cap_limit(ranks, cap)
    taken = ranks if limit is None else [r for r in ranks if r <= limit]
    assert sorted(taken) == sorted(ranks)[:cap]


def test_the_limit_holds_past_the_buffer():
    ranks = [rank(str(i)) for i in range(30_000)]
    limit = cap_limit(iter(ranks), 100)
    assert sum(r <= limit for r in ranks) == 100


def test_exactly_as_many_as_the_cap_are_all_taken():
    assert cap_limit([3, 1, 2], 3) is None
