"""What is shown of two texts: the places, their lines, and nothing that moves a cursor or fills the screen."""

import time

from hypothesis import given
from hypothesis import strategies as st

from winnow.cli.hunks import NARROW, Hunk, beginning, beside, compared_hunks, marked_hunks
from winnow.cli.printing import columns_of
from winnow.cli.span_marks import Mark

TEXT = "\n".join(f"line {n}" for n in range(50))


def test_a_marked_place_comes_with_a_line_on_either_side() -> None:
    start = TEXT.index("line 20")
    (hunk,) = marked_hunks(TEXT, TEXT, [Mark(start, start + 7)], [Mark(start, start + 4)])
    assert hunk.before == ("line 19", "⟦line 20⟧", "line 21")
    assert hunk.after == ("line 19", "⟦line⟧ 20", "line 21")


def test_a_side_that_is_not_known_is_empty() -> None:
    (hunk,) = marked_hunks(None, "a<JWT>", [], [Mark(1, 6)])
    assert hunk == Hunk((), ("a⟦<JWT>⟧",))
    assert list(beside(hunk, 200)) == ["+ a⟦<JWT>⟧"]


def test_changed_lines_are_marked_where_they_differ() -> None:
    (hunk,) = compared_hunks("a\nsame x = 1\nb\nc\nd", "a\nsame y = 1\nb\nc\nd")
    assert hunk.before == ("a", "same ⟦x⟧ = 1", "b")
    assert hunk.after == ("a", "same ⟦y⟧ = 1", "b")
    assert list(compared_hunks("same", "same")) == []


@given(st.text(max_size=300), st.text(max_size=300), st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal_or_moves_its_cursor(old: str, new: str, columns: int) -> None:
    for hunk in (*compared_hunks(old, new), beginning(old), Hunk((old,), (new,))):
        for line in beside(hunk, columns):
            assert line.isprintable()
            assert columns_of(line) <= columns + 1


def test_sides_are_beside_each_other_only_where_there_is_room() -> None:
    hunk = Hunk(("a", "old"), ("a", "new"))
    assert list(beside(hunk, NARROW - 1)) == ["  a", "- old", "+ new"]
    wide = list(beside(hunk, NARROW))
    assert [line.split(" | ")[1] for line in wide] == ["a", "new"]


def test_a_long_place_is_counted_and_a_long_line_is_cut_around_its_mark() -> None:
    (hunk,) = marked_hunks(TEXT, "<PRIVATE_KEY>", [Mark(7, len(TEXT) - 8)], [Mark(0, 13)])
    shown = list(beside(hunk, 160))
    assert len(shown) == 9
    assert any("lines more)" in line for line in shown)
    (hunk,) = marked_hunks("x" * 9_000 + "secret" + "y" * 9_000, None, [Mark(9_000, 9_006)], [])
    (line,) = beside(hunk, 120)
    assert "⟦secret⟧" in line
    assert line.startswith("- …")


def test_hostile_texts_take_no_time() -> None:
    started = time.perf_counter()
    many = "\n".join("ab"[n % 2] * (n % 7) for n in range(200_000))
    for old, new in ((many, many[::-1]), ("a" * 10**7, "b" * 10**7), ("\n" * 10**6, "")):
        for hunk in (*compared_hunks(old, new), *marked_hunks(old, new, [Mark(0, len(old))], [])):
            list(beside(hunk, 160))
    assert time.perf_counter() - started < 20
