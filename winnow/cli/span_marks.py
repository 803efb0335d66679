"""Where the spans of a verdict lie, in the text before a stage and in the text after it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OPEN, CLOSE = "⟦", "⟧"
"""What stands around a marked place on a screen."""
_ENOUGH = 48
"""Characters after a place that are compared to tell where its replacement ends."""


@dataclass(frozen=True)
class Mark:
    """A half-open span of code points and the categories that it is marked for."""

    start: int
    end: int
    categories: frozenset[str] = frozenset()


def marks_of(spans: Iterable[Mapping[str, Any]], path: str) -> list[Mark]:
    """The spans of one string in ascending order, overlapping ones as one.

    >>> span = {"path": "/a", "category": "jwt"}
    >>> [(m.start, m.end) for m in marks_of([{**span, "start": 4, "end": 9}, {**span, "start": 0, "end": 5}], "/a")]
    [(0, 9)]
    """
    found: list[Mark] = []
    for span in sorted((s for s in spans if s["path"] == path), key=lambda s: (s["start"], s["end"])):
        start, end, category = span["start"], span["end"], frozenset({span["category"]})
        if found and start < found[-1].end:
            last = found.pop()
            found.append(Mark(last.start, max(last.end, end), last.categories | category))
        else:
            found.append(Mark(start, end, category))
    return found


def marks_after(marks: Sequence[Mark], after: str, before: str | None = None) -> list[Mark]:
    """Where the marked places of a text lie once they are replaced.

    With the text `before`, exactly. Without it, as far as placeholders (`<CATEGORY>`, `<CATEGORY_1>`) tell: a place
    at which none stands is taken to be unchanged, and where that leads out of the text the marking ends.
    """
    found: list[Mark] = []
    shift = 0
    for number, mark in enumerate(marks):
        start = mark.start + shift
        if start > len(after):
            break
        following = marks[number + 1].start if number + 1 < len(marks) else None
        gap = None if before is None else before[mark.end : following]
        value = None if before is None else before[mark.start : mark.end]
        end = _end_of(mark, after, start, value, gap, following is None)
        if end is None:
            break
        found.append(Mark(start, end, mark.categories))
        shift = end - mark.end
    return found


def _end_of(
    mark: Mark, after: str, start: int, value: str | None, gap: str | None, is_last: bool
) -> int | None:
    if gap is not None and is_last:
        return max(start, len(after) - len(gap))
    placeholder = _placeholder(mark.categories).match(after, start)
    ends = [placeholder.end()] if placeholder else []
    if value is None or after.startswith(value, start):
        ends.append(start + mark.end - mark.start)
    for end in ends:
        if end <= len(after) and (gap is None or after.startswith(gap[:_ENOUGH], end)):
            return end
    if gap:
        at = after.find(gap[:_ENOUGH], start)
        return at if at >= 0 else None
    return None


def _placeholder(categories: frozenset[str]) -> re.Pattern[str]:
    names = "|".join(sorted((re.escape(c.upper()) for c in categories), key=len, reverse=True))
    return re.compile(rf"<?(?:{names})(?:_[0-9A-Za-z]+)?>?")


def marked(text: str, marks: Iterable[Mark]) -> str:
    """The text with a sign before and after each marked place.

    >>> marked("to a@b.org", [Mark(3, 10)])
    'to ⟦a@b.org⟧'
    """
    parts, at = [], 0
    for mark in marks:
        parts += [text[at : mark.start], OPEN, text[mark.start : mark.end], CLOSE]
        at = mark.end
    parts.append(text[at:])
    return "".join(parts)
