"""Fenced blocks of Markdown as chats write them (CommonMark 0.31, sections 4.5, 5.1 and 5.2, more lenient)."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(
    r"^(?P<before>(?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*+[ \t]*+)"
    r"(?P<fence>`{3,}+|~{3,}+)(?P<info>[^\n]*+)\n?",
    re.MULTILINE,
)
_QUOTE_MARKS = re.compile(r"(?:[ \t]*+>)*+")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the whole from the opening line through the closing one, its body, and the info string.

    `before` is what precedes the opening fence on its line: indentation, quote marks, list marks.
    """

    start: int
    body_start: int
    body_end: int
    end: int
    info: str
    before: str


def fenced_blocks(text: str) -> Iterator[Block]:
    """The blocks in order; one that is never closed goes through the end of the text.

    A fence closes where the same mark stands alone on a line, at least as often, however indented: models
    indent carelessly. A quoted block ends with its quote as well.
    """
    opening: re.Match[str] | None = None
    quoted = 0
    for line in _LINE.finditer(text):
        if opening is not None:
            quoted = _quoted_until(text, quoted, line.start(), _depth(opening))
            if quoted < line.start():
                yield _block(opening, quoted, quoted)
            elif _closes(opening, line):
                yield _block(opening, line.start(), line.end())
                opening = None
                continue
            else:
                continue
        opening = line if line["fence"][0] == "~" or "`" not in line["info"] else None
        quoted = line.end()
    if opening is not None:
        end = _quoted_until(text, quoted, len(text), _depth(opening))
        yield _block(opening, end, end)


def _depth(line: re.Match[str]) -> int:
    return line["before"].count(">")


def _block(opening: re.Match[str], body_end: int, end: int) -> Block:
    return Block(opening.start(), opening.end(), body_end, end, opening["info"].strip(), opening["before"])


def _closes(opening: re.Match[str], line: re.Match[str]) -> bool:
    return (
        line["fence"].startswith(opening["fence"])
        and not line["info"].strip()
        and not line["before"].strip("> \t")
        and _depth(line) == _depth(opening)
    )


def _quoted_until(text: str, at: int, until: int, depth: int) -> int:
    """The first line start from `at` on that is not `depth` quotes deep, or `until`."""
    while depth and at < until:
        marks = _QUOTE_MARKS.match(text, at)
        if marks is None or marks.group().count(">") < depth:
            return at
        at = text.find("\n", at) + 1 or len(text)
    return until


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a block without the quote marks and indentation around it, and the way back."""

    text: str
    _starts: tuple[int, ...]
    _origins: tuple[int, ...]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original of a non-empty span of `text`; marks between its lines are inside."""
        return self._origin(start), self._origin(end - 1) + 1

    def _origin(self, at: int) -> int:
        line = bisect_right(self._starts, at) - 1
        return self._origins[line] + at - self._starts[line]


def body_of(text: str, block: Block) -> Body:
    """What stands in a block, as its author typed it before it was quoted or indented."""
    if not block.before:
        return Body(text[block.body_start : block.body_end], (0,), (block.body_start,))
    quotes = block.before.count(">")
    width = len(block.before.rpartition(">")[2].expandtabs(4))
    starts, origins, lines = [0], [block.body_start], []
    at, length = block.body_start, 0
    while at < block.body_end:
        stop = min(text.find("\n", at) + 1 or block.body_end, block.body_end)
        inner = _inner(text, at, stop, quotes, width)
        starts.append(length)
        origins.append(inner)
        lines.append(text[inner:stop])
        length += stop - inner
        at = stop
    return Body("".join(lines), tuple(starts), tuple(origins))


def _inner(text: str, at: int, stop: int, quotes: int, width: int) -> int:
    """Where a line of code starts behind `quotes` marks and up to `width` columns of space."""
    for _ in range(quotes):
        mark = text.find(">", at, stop)
        at = mark + 1 if mark >= 0 and not text[at:mark].strip() else at
    column = 0
    while column < width and at < stop and text[at] in " \t":
        column += 4 - column % 4 if text[at] == "\t" else 1
        at += 1
    return at
