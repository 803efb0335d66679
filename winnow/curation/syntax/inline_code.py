"""Code spans inside a paragraph of Markdown (CommonMark 0.31, section 6.1)."""

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"\n(?=[ \t]*+(?:\n|>|#|(?:[-*+]|\d{1,9}[.)])[ \t]|`{3}|~{3}))")
_RUN = re.compile(r"(?P<escaped>\\?)(?P<marks>`++)")


def inline_code(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of code spans between `start` and `end`, marks included.

    A span never leaves its paragraph, list item or quoted line: an apostrophe typed as a backtick must not
    hide the sentences up to the next one.
    """
    at = start
    while at < end:
        edge = _BLOCK.search(text, at, end)
        stop = edge.end() if edge else end
        yield from _spans(text, at, stop)
        at = stop


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Each run of marks with the next run of the same length; a run without one is text."""
    runs = [
        (match.start("marks"), match.end("marks"), bool(match["escaped"]))
        for match in _RUN.finditer(text, start, end)
    ]
    closing: list[int | None] = [None] * len(runs)
    seen: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        closing[number] = seen.get(length)
        seen[length] = number
    number = 0
    while number < len(runs):
        partner = closing[number]
        first, _, escaped = runs[number]
        if partner is None or escaped:
            number += 1
            continue
        yield first, runs[partner][1]
        number = partner + 1
