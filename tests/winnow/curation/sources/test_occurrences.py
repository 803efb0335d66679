from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sources.occurrences import Occurrences

identities = st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1))


@given(st.lists(identities, max_size=300))
def test_counts_as_a_counter_does(values: list[int]):
    seen, counted = Occurrences(), Counter[int]()
    for value in values:
        assert seen.next(value) == counted[value]
        counted[value] += 1


def test_counts_past_several_enlargements_and_long_probes():
    seen = Occurrences()
    # Multiples of the first size all start at slot 0, the worst case for an open table.
    values = [i * 4096 for i in range(2000)] + list(range(20_000))
    assert [seen.next(v) for v in values[:2000]] == [0] * 2000
    assert sum(seen.next(v) for v in values[2000:]) == 5
    assert {seen.next(v) for v in range(1, 20_000) if v % 4096} == {1}


def test_a_row_costs_less_than_24_bytes():
    seen = Occurrences()
    rows = 50_000
    for value in range(rows):
        seen.next(value * 0x9E3779B97F4A7C15 % 2**64)
    slots = len(seen._identities)
    assert 12 * slots / rows < 24
