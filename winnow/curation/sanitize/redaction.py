"""A row without what was found in it, its code still code."""

from collections.abc import Mapping, Sequence
from typing import Any

from winnow.core.identity import conversation_hash
from winnow.curation.quality.python_syntax import python_fault
from winnow.curation.sanitize.placeholders import Placeholders
from winnow.curation.sanitize.scan import Hit, replaced
from winnow.curation.text import map_row_strings

BREAKS_CODE = "sanitize-breaks-code"
_MAX_PARSED = 4 << 20


def redacted(
    row: Mapping[str, Any], hits: Mapping[str, Sequence[Hit]], placeholders: Placeholders
) -> dict[str, Any] | None:
    """The row with disjoint `hits`, by path, replaced, and its new content hash.

    Python that parsed before parses after: where a placeholder in angle brackets breaks it, a bare one, which
    is a name, is tried. None where that breaks it as well, as a value inside of a name or number can.
    """

    def change(path: str, text: str) -> str:
        if path not in hits:
            return text
        out = replaced(text, hits[path], placeholders)
        if _is_python(row, path) and not _parses(out) and _parses(text):
            out = replaced(text, hits[path], lambda hit: placeholders(hit, bare=True))
            if not _parses(out):
                raise _BrokenCode
        return out

    try:
        changed = map_row_strings(row, change)
    except _BrokenCode:
        return None
    changed["content_hash"] = conversation_hash(changed["messages"], changed["tools"])
    return changed


class _BrokenCode(Exception):
    pass


def _is_python(row: Mapping[str, Any], path: str) -> bool:
    return row["kind"] == "code" and row["language"] == "python" and path.endswith("/content")


def _parses(text: str) -> bool:
    return python_fault(text, _MAX_PARSED) is None
