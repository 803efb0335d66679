from hypothesis import given
from hypothesis import strategies as st

from evaluation.scoring import by_length

WIDTHS = st.lists(st.integers(1, 50), max_size=40)


@given(WIDTHS, st.integers(1, 6), st.integers(1, 120))
def test_batches_hold_every_row_once_and_no_more_than_they_may(
    widths: list[int], size: int, tokens: int
) -> None:
    rows = list(enumerate(widths))
    batches = by_length(rows, lambda row: row[1], size, tokens)
    assert sorted(row for batch in batches for row in batch) == rows
    assert all(0 < len(batch) <= size for batch in batches)
    assert all(len(batch) == 1 or len(batch) * batch[-1][1] <= tokens for batch in batches)
    flat = [row[1] for batch in batches for row in batch]
    assert flat == sorted(flat)
