import json
import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.cli.printing import columns_of, plain, table, visible

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(anything, st.integers(1, 50))
def test_what_is_visible_fits_and_moves_no_cursor(text: str, limit: int):
    shown = visible(text, limit)
    assert shown.isprintable()
    assert columns_of(shown) <= limit
    assert visible(text).isprintable()


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_printable_text_is_left_as_it_is(text: str):
    assert visible(text) == text


@given(st.lists(st.tuples(anything, st.none() | st.integers(0, 10**9), anything), min_size=1, max_size=6))
def test_columns_line_up(rows: list[tuple[Any, ...]]):
    lines = list(table(["a", "count", "\u5217"], rows))
    assert len(lines) == len(rows) + 1
    widths = [max(columns_of(visible(row[0], 80)) for row in [("a",), *rows])]
    for line, row in zip(lines[1:], rows, strict=True):
        first = visible(row[0], 80)
        assert line.startswith(first.rstrip())
        rest = line[len(first) :].ljust(200)
        assert rest.startswith(" " * (widths[0] - columns_of(first)))


def test_numbers_stand_to_the_right_and_nothing_is_a_dash():
    assert list(table(["n", "rows", "share"], [("x", 1234567, None), ("yy", 5, 0.25)])) == [
        "n        rows  share",
        "x   1,234,567      -",
        "yy          5   0.25",
    ]


def test_cells_are_cut_to_fit_a_terminal():
    rows = [("a" * 70, "b" * 70), ("c", "d")]
    wide, narrow = (list(table(["x", "y"], rows, fit=fit)) for fit in (None, 60))
    assert max(map(len, wide)) == 142
    assert max(map(len, narrow)) <= 60
    assert "…" in narrow[1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (math.inf, None),
        (Decimal("3"), 3),
        (Decimal("0.5"), 0.5),
        (2**90, 2**90),
        (b"\xff\0", "ff00"),
        (datetime(2026, 1, 2, 3, tzinfo=UTC), "2026-01-02T03:00:00+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (timedelta(hours=1), "1:00:00"),
        ({1: [math.nan, {"a": b"\0"}]}, {"1": [None, {"a": "00"}]}),
        (True, True),
    ],
)
def test_any_value_of_a_query_can_be_written_as_json(value: Any, expected: Any):
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)
