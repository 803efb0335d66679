"""Marks in the text after a stage stand exactly around what replaced each span."""

from hypothesis import given
from hypothesis import strategies as st

from winnow.cli.span_marks import Mark, marked, marks_after, marks_of

CATEGORIES = ("jwt", "email_address", "token")
PIECE = st.text(alphabet="ab \n<>_é日{}\"'", max_size=8)


def span(start: int, end: int, category: str = "jwt", path: str = "/a") -> dict[str, object]:
    return {"path": path, "start": start, "end": end, "category": category, "detector": "d"}


@st.composite
def replaced(draw, replacement):
    """A text, its marks, and the same text with each mark replaced, with where the replacements lie."""
    before, after, marks, there = draw(PIECE), "", [], []
    after = before
    for number in range(draw(st.integers(0, 5))):
        value, category = (
            draw(st.text(alphabet="XYZ9", min_size=1, max_size=9)),
            draw(st.sampled_from(CATEGORIES)),
        )
        new = draw(replacement(category, number, value))
        marks.append(Mark(len(before), len(before) + len(value), frozenset({category})))
        there.append((len(after), len(after) + len(new)))
        gap = draw(PIECE.filter(bool))
        before, after = before + value + gap, after + new + gap
    return before, after, marks, there


def placeholder(category: str, number: int, value: str):
    name = category.upper()
    return st.sampled_from([f"<{name}>", f"<{name}_{number + 1}>"])


def anything(category: str, number: int, value: str):
    return st.one_of(placeholder(category, number, value), st.just(value), st.just("h4sh" * 3))


@given(replaced(placeholder))
def test_placeholders_tell_where_they_are_without_the_text_before(case) -> None:
    _, after, marks, there = case
    assert [(m.start, m.end) for m in marks_after(marks, after)] == there


@given(replaced(anything))
def test_with_the_text_before_any_replacement_is_found(case) -> None:
    before, after, marks, there = case
    found = [(m.start, m.end) for m in marks_after(marks, after, before)]
    assert found == there


@given(replaced(anything), st.booleans())
def test_marks_never_leave_the_text(case, known: bool) -> None:
    before, after, marks, _ = case
    found = marks_after(marks, after[: len(after) // 2], before if known else None)
    assert all(0 <= m.start <= m.end for m in found)
    assert marked(after, found).replace("⟦", "").replace("⟧", "").startswith(after[:1])


def test_a_flagged_span_stays_where_it_is() -> None:
    marks = marks_of([span(3, 6), span(7, 9, "token")], "/a")
    found = [(m.start, m.end) for m in marks_after(marks, "xx abc <TOKEN_1>", "xx abc zz")]
    assert found == [(m.start, m.end) for m in marks_after(marks, "xx abc <TOKEN_1>")] == [(3, 6), (7, 16)]
    assert [(m.start, m.end) for m in marks_after(marks[:1], "xx abc tail")] == [(3, 6)]


def test_overlapping_spans_are_one_place_of_every_category() -> None:
    found = marks_of([span(5, 9, "token"), span(2, 6), span(20, 21), span(0, 1, path="/b")], "/a")
    assert found == [Mark(2, 9, frozenset({"jwt", "token"})), Mark(20, 21, frozenset({"jwt"}))]
