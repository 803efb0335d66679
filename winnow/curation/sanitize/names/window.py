"""What the model gets to read: some words around a candidate, one blank between them, and the way back."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_SIDE = 110
"""Code points on each side of a candidate; the model itself looks at about four words."""
_MOST = 1000
"""Code points after which candidates that stand close get a window of their own."""
_CHUNK = re.compile(r"\S+")
_MARKS = frozenset({"#", "//", "///", "*", "/*", "/**", "*/", "--", ">", ";", "#:", "|"})


@dataclass(frozen=True)
class Window:
    """`text` is what the model reads; `starts` and `origins` say where its words begin there and in the segment."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def back(self, position: int) -> int:
        """A position in the segment for one in the window."""
        index = max(0, bisect_right(self.starts, position) - 1)
        return self.origins[index] + position - self.starts[index]


def windows(text: str, spans: Sequence[tuple[int, int]]) -> tuple[list[Window], list[int]]:
    """Windows that cover ascending spans, cut at blank lines and between words; for each span its window's index."""
    reaches: list[tuple[int, int]] = []
    chosen: list[int] = []
    for start, end in spans:
        low, high = _reach(text, start, end)
        if reaches and low <= reaches[-1][1] and high - reaches[-1][0] <= _MOST:
            reaches[-1] = (reaches[-1][0], max(high, reaches[-1][1]))
        else:
            reaches.append((low, high))
        chosen.append(len(reaches) - 1)
    return [_window(text, low, high) for low, high in reaches], chosen


def _reach(text: str, start: int, end: int) -> tuple[int, int]:
    low, high = max(0, start - _SIDE), min(len(text), end + _SIDE)
    low = max(low, text.rfind("\n\n", low, start) + 1)
    blank = text.find("\n\n", end, high)
    high = blank if blank >= 0 else high
    while 0 < low < start and not text[low - 1].isspace():
        low += 1
    while end < high < len(text) and not text[high].isspace():
        high -= 1
    return low, high


def _window(text: str, low: int, high: int) -> Window:
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    at = 0
    for chunk in _CHUNK.finditer(text, low, high):
        if chunk.group() in _MARKS:
            continue
        if parts:
            # a line that begins with a capital may be a heading or an entry; any other goes on with a sentence
            breaks = chunk.group()[0].isupper() and "\n" in text[origins[-1] : chunk.start()]
            parts.append("\n" if breaks else " ")
        parts.append(chunk.group())
        starts.append(at)
        origins.append(chunk.start())
        at += len(chunk.group()) + 1
    return Window("".join(parts), tuple(starts), tuple(origins))
