"""The lines of a segment that hold a word which could belong to a name: all else is skipped unread."""

import re
from collections.abc import Iterable

from winnow.curation.sanitize.names.scripts import FOREIGN
from winnow.curation.sanitize.names.words import kind

_TOKEN = re.compile(r"[^\W\d_]{2,}")
_BLANKED = {c: " " for c in range(128) if not chr(c).isalpha()}
_MOST = 1 << 17
_boring: set[str] = set()
"""Tokens found to belong to no name; a cache, which decides nothing."""


def interesting_lines(text: str) -> list[tuple[int, int]]:
    """Half-open spans of lines, without their ends, in ascending order."""
    foreign = not text.isascii() and FOREIGN.search(text) is not None
    if not foreign and not _is_odd(_tokens(text)):
        return []
    lines = []
    at = 0
    for line in text.split("\n"):
        if _is_odd(_tokens(line)) or (foreign and FOREIGN.search(line)):
            lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines


def _tokens(text: str) -> list[str]:
    """Runs of letters; of ASCII texts by the way that takes a third of the time."""
    return text.translate(_BLANKED).split() if text.isascii() else _TOKEN.findall(text)


def _is_odd(tokens: Iterable[str]) -> bool:
    """Whether a token could be a name by itself, or two in lower case could be one together."""
    fresh = set(tokens) - _boring
    lower = 0
    for token in fresh:
        if len(token) == 1:
            continue
        if token.islower():
            word = kind(token)
            if word == "given":
                return True
            if word == "unknown" and len(token) < 25:
                lower += 1
                continue
        elif _is_name_like(token):
            return True
        if len(_boring) < _MOST:
            _boring.add(token)
    return lower > 1


def _is_name_like(token: str) -> bool:
    word = kind(token)
    if token.isupper():
        return word == "given" and len(token) > 2
    inner = sum(c.isupper() for c in token[1:])
    return (
        token[0].isupper()
        and word in ("given", "unknown", "either")
        and inner <= 1
        and not token[-1].isupper()
    )
