"""Names in columns: lines of separated values under a header that says which column holds persons."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.names.hit import NameHit
from winnow.curation.sanitize.names.labels import trust
from winnow.curation.sanitize.names.value import name_at

_SEPARATOR = re.compile(r"[,;\t|]")
_MOST_FIELDS = 64
_LONGEST_HEADER = 2000
_LONGEST_TITLE = 40


def find(text: str) -> Iterator[NameHit]:
    """Hits in ascending order; a header counts until a line has another number of fields."""
    columns: dict[int, int] = {}
    separator, width = "", 0
    at = 0
    for line in text.splitlines(keepends=True):
        if columns and line.count(separator) + 1 == width:
            yield from _cells(text, line, at, separator, columns)
        else:
            separator, width, columns = _header(line)
        at += len(line)


def _header(line: str) -> tuple[str, int, dict[int, int]]:
    """Separator, number of fields, and for each column of persons how far its title is believed."""
    first = _SEPARATOR.search(line)
    if first is None or len(line) > _LONGEST_HEADER:
        return "", 0, {}
    separator = first.group()
    fields = [field.strip(" \t\r\n\"'#*/") for field in line.split(separator)]
    if len(fields) > _MOST_FIELDS or any(len(field) > _LONGEST_TITLE for field in fields):
        return "", 0, {}
    believed = {index: trust(field) for index, field in enumerate(fields)}
    return separator, len(fields), {index: found for index, found in believed.items() if found is not None}


def _cells(text: str, line: str, at: int, separator: str, columns: dict[int, int]) -> Iterator[NameHit]:
    for index, cell in enumerate(line.split(separator)):
        value = cell.strip(" \t\r\n\"'")
        if index in columns and value:
            start = at + cell.index(value)
            span = name_at(text, start, columns[index])
            if span is not None and span[1] <= start + len(value) and (span[1] - span[0]) * 2 > len(value):
                yield NameHit(*span, "person", 0.95 if columns[index] == 2 else 0.8)
        at += len(cell) + len(separator)
