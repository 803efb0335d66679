"""Two texts beside each other, only around the places where they differ or that are marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from winnow.cli.printing import columns_of, visible
from winnow.cli.span_marks import CLOSE, OPEN, Mark, marked

_AROUND = 1
"""Lines shown before and after a place."""
_LINES = 8
"""Lines of a side shown of one place; more are counted."""
_COMPARED = 1_000
"""Lines of a text that are compared: the comparison is quadratic where nothing is alike."""
_REACH = 2_000
"""Characters of a line looked at around a place."""
NARROW = 100
"""Columns below which a side goes under the other instead of beside it."""


@dataclass(frozen=True)
class Hunk:
    """Lines of the text before and of the text after; marked, and otherwise as they are."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def marked_hunks(
    before: str | None, after: str | None, marks: Sequence[Mark], marks_after: Sequence[Mark]
) -> Iterator[Hunk]:
    """A hunk for each marked place, with the line before it and the line after it.

    A side that is None stays empty, as does one in which the place is not known.
    """
    for number in range(max(len(marks), len(marks_after))):
        left = marks[number] if number < len(marks) else None
        right = marks_after[number] if number < len(marks_after) else None
        yield Hunk(_around(before, left), _around(after, right))


def _around(text: str | None, mark: Mark | None) -> tuple[str, ...]:
    if text is None or mark is None:
        return ()
    start = _line_start(text, mark.start, _AROUND)
    end = _line_end(text, mark.end, _AROUND)
    start, end = max(start, mark.start - _REACH), min(end, mark.end + _REACH)
    inner = Mark(mark.start - start, mark.end - start, mark.categories)
    return tuple(marked(text[start:end], [inner]).split("\n"))


def _line_start(text: str, at: int, lines: int) -> int:
    """Where the line begins that lies `lines` above the one of `at`."""
    for _ in range(lines + 1):
        at = text.rfind("\n", 0, at)
        if at < 0:
            return 0
    return at + 1


def _line_end(text: str, at: int, lines: int) -> int:
    for _ in range(lines + 1):
        at = text.find("\n", at)
        if at < 0:
            return len(text)
        at += 1
    return at - 1


def compared_hunks(before: str, after: str) -> Iterator[Hunk]:
    """A hunk for each group of lines that differ, with the line before it and the line after it."""
    left, right = before.split("\n")[:_COMPARED], after.split("\n")[:_COMPARED]
    matcher = SequenceMatcher(None, left, right)
    for group in matcher.get_grouped_opcodes(_AROUND):
        old: list[str] = []
        new: list[str] = []
        for tag, i, j, k, m in group:
            if tag == "replace" and j - i == m - k:
                pairs = [_inner(a, b) for a, b in zip(left[i:j], right[k:m], strict=True)]
                old += [a for a, _ in pairs]
                new += [b for _, b in pairs]
            else:
                old += left[i:j]
                new += right[k:m]
        yield Hunk(tuple(old), tuple(new))


def _inner(before: str, after: str) -> tuple[str, str]:
    """Two lines with what differs between their common beginning and end marked."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    rest = most - start
    tail = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    return tuple(marked(t, [Mark(start, len(t) - tail)]) for t in (before, after))  # type: ignore[return-value]


def beginning(text: str) -> Hunk:
    """The first lines of a text that went nowhere."""
    lines = text[: _LINES * _REACH].split("\n")
    return Hunk(tuple(lines[: _LINES + 1]), ())


def beside(hunk: Hunk, columns: int) -> Iterator[str]:
    """The lines of a hunk in two columns; under each other where `columns` are few or a side has none."""
    if columns < NARROW or not hunk.before or not hunk.after:
        yield from _under(hunk, columns)
        return
    width = (columns - 3) // 2
    left, right = shown_lines(hunk.before, width), shown_lines(hunk.after, width)
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one}{' ' * (width - columns_of(one))} | {other}".rstrip()


def _under(hunk: Hunk, columns: int) -> Iterator[str]:
    before, after = list(hunk.before), list(hunk.after)
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    tail = next((n for n in range(most - head) if before[-1 - n] != after[-1 - n]), most - head)
    parts = (
        (" ", before[:head]),
        ("-", before[head : len(before) - tail]),
        ("+", after[head : len(after) - tail]),
        (" ", before[len(before) - tail :]),
    )
    for sign, lines in parts:
        yield from (f"{sign} {line}" for line in shown_lines(lines, columns - 2))


def shown_lines(lines: Sequence[str], width: int) -> list[str]:
    """Lines cut to a width around their mark, and those in the middle counted where they are many."""
    if len(lines) > _LINES:
        half = _LINES // 2
        more = f"({len(lines) - 2 * half} lines more)"
        return [*shown_lines(lines[:half], width), more, *shown_lines(lines[-half:], width)]
    return [_clipped(line, width) for line in lines]


def _clipped(line: str, width: int) -> str:
    at = min((n for n in (line.find(OPEN), line.find(CLOSE)) if n >= 0), default=0)
    start = max(0, at - width // 3)
    if start == 0 or (len(line) <= width and columns_of(visible(line)) <= width):
        return visible(line, width)
    return "…" + visible(line[start:], width - 1)
