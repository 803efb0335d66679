import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.syntax.inline_code import inline_code

CASES = {
    "run `ls -a` now": ["`ls -a`"],
    "``a ` b`` and `c`": ["``a ` b``", "`c`"],
    "an apostrophe` alone": [],
    "one ` here\n\nand ` there": [],
    "- don`t\n- won`t": [],
    "`over\na line`": ["`over\na line`"],
    "escaped \\` and `code`": ["`code`"],
    "`` never `closed": [],
    "`a``b`": ["`a``b`"],
}


@pytest.mark.parametrize("text", CASES)
def test_code_spans(text: str) -> None:
    assert [text[a:b] for a, b in inline_code(text, 0, len(text))] == CASES[text]


@given(st.text(alphabet="` \nab\\-", max_size=60), st.integers(0, 10), st.integers(0, 60))
def test_spans_are_disjoint_in_order_and_inside(text: str, start: int, end: int) -> None:
    end = min(end, len(text))
    edges = [edge for span in inline_code(text, start, end) for edge in span]
    assert edges == sorted(edges)
    assert not edges or (start <= edges[0] and edges[-1] <= end)


def test_runs_of_ever_more_marks_take_linear_time() -> None:
    text = " ".join("`" * n for n in range(1, 2_000))
    started = time.process_time()
    assert list(inline_code(text, 0, len(text))) == []
    assert time.process_time() - started < 1
