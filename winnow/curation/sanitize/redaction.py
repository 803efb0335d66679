"""A row without what was found in it, its code still code."""

from collections.abc import Mapping, Sequence
from typing import Any

from winnow.core.identity import conversation_hash
from winnow.curation.quality.fences import python_blocks
from winnow.curation.quality.python_syntax import python_fault
from winnow.curation.sanitize.placeholders import Placeholders
from winnow.curation.sanitize.scan import Hit, replaced
from winnow.curation.text import map_row_strings

BREAKS_CODE = "sanitize-breaks-code"
_MAX_PARSED = 4 << 20
_PYTHON_NAMES = frozenset({"python", "python3", "py"})


def redacted(
    row: Mapping[str, Any], hits: Mapping[str, Sequence[Hit]], placeholders: Placeholders
) -> dict[str, Any] | None:
    """The row with disjoint `hits`, by path, replaced, and its new content hash.

    Python that parsed before parses after, files and fenced blocks alike: where a placeholder in angle brackets
    breaks it, a bare one, which is a name, is tried. None where that breaks it as well, as a value inside of
    a name or number can.
    """

    def change(path: str, text: str) -> str:
        if path not in hits:
            return text
        out = replaced(text, hits[path], placeholders)
        if not path.endswith("/content") or _parses_as_before(row, text, out):
            return out
        code = _python(row, text)

        def bare(hit: Hit) -> str:
            in_code = any(start <= hit.start and hit.end <= end for start, end in code)
            return placeholders(hit, bare=in_code)

        out = replaced(text, hits[path], bare)
        if not _parses_as_before(row, text, out):
            raise _BrokenCodeError
        return out

    try:
        changed = map_row_strings(row, change)
    except _BrokenCodeError:
        return None
    changed["content_hash"] = conversation_hash(changed["messages"], changed["tools"])
    return changed


class _BrokenCodeError(Exception):
    pass


def _python(row: Mapping[str, Any], text: str) -> list[tuple[int, int]]:
    """Spans of a content that are Python: all of a file in it, else its fenced blocks."""
    if row["kind"] == "code":
        return [(0, len(text))] if (row["language"] or "").lower() in _PYTHON_NAMES else []
    return list(python_blocks(text))


def _parses_as_before(row: Mapping[str, Any], before: str, after: str) -> bool:
    old, new = _python(row, before), _python(row, after)
    if len(old) != len(new):
        return False
    return all(
        _parses(after[b:e]) or not _parses(before[s:t]) for (s, t), (b, e) in zip(old, new, strict=True)
    )


def _parses(text: str) -> bool:
    return python_fault(text, _MAX_PARSED) is None
