"""Which parts of a row's strings are prose: where the syntax says so, read once a string and only when asked."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from winnow.curation.sanitize.scan import Hit
from winnow.curation.syntax import Region, SyntaxReader
from winnow.curation.text import JSON_STRINGS

_JSON_VALUE = re.compile(r'"((?:[^"\\]++|\\.)*+)"|(-?\d[\d.]{6,}+)', re.DOTALL)
"""Strings, and numbers with the digits of a telephone or more."""
_NEVER = frozenset({"language", "license", "tool_call_id", "id", "name"})
"""Last path segments of strings that are no prose."""
_GAP = re.compile(r"[ \t]*\n?[ \t]*")


def holds_json(row: Mapping[str, Any], path: str) -> bool:
    """Whether a string of a row is JSON text: arguments, tools, meta, and the content of a JSON file."""
    last = path.rpartition("/")[2]
    is_file = row["kind"] == "code" and last == "content"
    return last in JSON_STRINGS or (is_file and (row["language"] or "").lower() == "json")


class Prose:
    """The prose of one string of a row, as ascending disjoint spans of code points."""

    def __init__(self, row: Mapping[str, Any], path: str, text: str, reader: SyntaxReader) -> None:
        self._row, self._path, self._text, self._reader = row, path, text, reader
        self._regions: tuple[Region, ...] | None = None

    @property
    def regions(self) -> tuple[Region, ...]:
        """Spans of prose, comments, docstrings and string literals."""
        if self._regions is None:
            self._regions = self._read()
        return self._regions

    def holds(self, start: int) -> bool:
        """Whether a position lies in prose."""
        low, high = 0, len(self.regions)
        while low < high:
            middle = (low + high) // 2
            if self.regions[middle].end <= start:
                low = middle + 1
            else:
                high = middle
        return low < len(self.regions) and self.regions[low].start <= start

    def bare(self, hit: Hit) -> Hit:
        """The hit, marked where it is a token of code: what stands there has to be a name."""
        is_file = self._row["kind"] == "code" and self._path.endswith("/content")
        if not is_file or hit.quoted or holds_json(self._row, self._path) or self.holds(hit.start):
            return hit
        return replace(hit, bare=True)

    def segments(self) -> Iterator[tuple[int, int]]:
        """Spans to read as connected prose: comment lines that follow each other are one."""
        start = end = -1
        kind = ""
        for region in self.regions:
            joins = kind == region.kind == "comment" and _GAP.fullmatch(self._text, end, region.start)
            if start >= 0 and joins:
                end = region.end
                continue
            if start >= 0:
                yield start, end
            start, end, kind = region.start, region.end, region.kind
        if start >= 0:
            yield start, end

    def _read(self) -> tuple[Region, ...]:
        last = self._path.rpartition("/")[2]
        if last in _NEVER:
            return ()
        if holds_json(self._row, self._path):
            values = _JSON_VALUE.finditer(self._text)
            return tuple(Region(*match.span(match.lastindex or 1), "string") for match in values)
        is_file = self._row["kind"] == "code" and last == "content"
        language = self._row["language"] if is_file else None
        return self._reader.regions(self._text, language, "file" if is_file else "chat").spans
