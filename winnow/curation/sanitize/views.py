"""What a text says behind its encodings, and which part of it has to go to make a value go.

A view exists only where its encoding does. Escapes, percent signs and joined lines keep the lines around them, as a
value is known by what stands before it; base64 and hexadecimal give the text that they hold. All are linear in the
text, no view is longer than it, and views are looked at once more, for what is encoded twice.
"""

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate

from winnow.curation.sanitize.wraps import glue

Edit = tuple[int, int, str]
"""Start and end of what is replaced, half-open, and what replaces it; ascending and disjoint in a list."""

_DEPTH = 2
_LINES_AROUND = 2
_GAP = "\n\0\n"
"""What stands for lines left out: no detector reads across it."""


@dataclass(frozen=True)
class View:
    """A decoded reading of a text; `back` leads to the text itself, also from a view of a view."""

    text: str
    kind: str
    _starts: list[int] = field(repr=False)
    _origins: list[tuple[int, int]] = field(repr=False)
    _of: "View | None" = field(default=None, repr=False)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that holds the span of this view; what is decoded as a whole goes as a whole."""
        begin = self._origin(start)[0]
        close = max(begin, self._origin(max(start, end - 1))[1])
        return self._of.back(begin, close) if self._of else (begin, close)

    def _origin(self, at: int) -> tuple[int, int]:
        piece = max(0, bisect_right(self._starts, at) - 1)
        first = self._starts[piece]
        length = (self._starts[piece + 1] if piece + 1 < len(self._starts) else len(self.text)) - first
        begin, end = self._origins[piece]
        return (begin + at - first, begin + at - first + 1) if end - begin == length else (begin, end)


def views(text: str) -> Iterator[View]:
    r"""Every view of the text, and every view of those.

    >>> [(v.kind, v.text) for v in views(r"a\u0062c")]
    [('escaped', 'abc')]
    """
    yield from _views(text, None, _DEPTH)


def _views(text: str, of: View | None, depth: int) -> Iterator[View]:
    for kind, edits_of in _READERS.items():
        if of is not None and kind == of.kind == "joined":
            continue
        edits = list(edits_of(text))
        if not edits:
            continue
        view = _chunks(kind, edits, of) if kind in ("base64", "hex") else _windows(text, kind, edits, of)
        if not view.text:
            continue
        yield view
        if depth > 1:
            yield from _views(view.text, view, depth - 1)


def _chunks(kind: str, edits: list[Edit], of: View | None) -> View:
    """Only what was decoded, a piece each."""
    pieces = [
        piece for start, end, decoded in edits for piece in ((decoded, (start, end)), ("\n", (end, end)))
    ]
    return _view(kind, pieces, of)


def _windows(text: str, kind: str, edits: list[Edit], of: View | None) -> View:
    """The lines that hold an edit and those around them, edited."""
    pieces: list[tuple[str, tuple[int, int]]] = []
    at = limit = 0
    for start, end, replacement in edits:
        if start >= limit:
            first = _back_lines(text, start, limit)
            if at < limit:
                pieces.append((text[at:limit], (at, limit)))
            if first > limit and pieces:
                pieces.append((_GAP, (limit, limit)))
            at = max(first, at)
        pieces.append((text[at:start], (at, start)))
        pieces.append((replacement, (start, end)))
        at = end
        if end >= limit:
            limit = _forward_lines(text, end)
    pieces.append((text[at:limit], (at, limit)))
    return _view(kind, pieces, of)


def _back_lines(text: str, start: int, floor: int) -> int:
    first = start
    for _ in range(_LINES_AROUND + 1):
        first = text.rfind("\n", floor, first)
        if first < 0:
            return floor
    return first + 1


def _forward_lines(text: str, end: int) -> int:
    for _ in range(_LINES_AROUND + 1):
        end = text.find("\n", end) + 1
        if not end:
            return len(text)
    return end


def _view(kind: str, pieces: Iterable[tuple[str, tuple[int, int]]], of: View | None) -> View:
    kept = [(piece, origin) for piece, origin in pieces if piece]
    starts = list(accumulate((len(piece) for piece, _ in kept), initial=0))[:-1]
    return View("".join(piece for piece, _ in kept), kind, starts, [origin for _, origin in kept], of)


_ESCAPE = re.compile(
    r"\\(?:u\{(?P<braced>[0-9a-fA-F]{1,6})\}|(?:u(?P<u>[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2})|U(?P<U>[0-9a-fA-F]{8}))"
    r"|(?P<octal>[0-3][0-7]{2})|(?P<one>[\"'\\/`nrtbf]))"
    r"|&(?:(?P<name>quot|amp|lt|gt|apos)|#(?P<number>[0-9]{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,6}));"
)
_ONE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_NAMES = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}


def _escapes(text: str) -> Iterator[Edit]:
    if "\\" not in text and "&" not in text:
        return
    for match in _ESCAPE.finditer(text):
        kind, code = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "one":
            yield (*match.span(), _ONE.get(code, code))
        elif kind == "name":
            yield (*match.span(), _NAMES[code])
        else:
            point = int(code, {"octal": 8, "number": 10}.get(kind, 16))
            if point <= 0x10FFFF:
                yield (*match.span(), chr(point))


_PERCENT = re.compile(r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f])+")


def _percents(text: str) -> Iterator[Edit]:
    if "%" not in text:
        return
    for match in _PERCENT.finditer(text):
        try:
            yield (*match.span(), bytes.fromhex(match.group().replace("%", "")).decode())
        except UnicodeDecodeError:
            continue


_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}+(?:(?:\r?\n|\\r\\n|\\n)[ \t]{0,40}+[A-Za-z0-9+/_-]++)*+={0,2}"
)
_LINE = re.compile(r"(?:(?<=\\n)|(?<![A-Za-z0-9+/_\\-]))[A-Za-z0-9+/_-]++={0,2}")
_PART = re.compile(r"[A-Za-z0-9]{16,}+={0,2}")
_SHORTEST = 16
_USUAL_LINES = (60, 64, 72, 76)
"""Where tools wrap base64; of two lines only these lengths tell that the second belongs to the first."""
_READABLE = re.compile(rb"[\t\r\n\x20-\x7e]{16,}")


def _base64s(text: str) -> Iterator[Edit]:
    """Runs of base64, over several lines where they are wrapped, in either alphabet, with or without padding."""
    for match in _BASE64.finditer(text):
        for lines in _wrapped(list(_LINE.finditer(text, *match.span()))):
            start, end = lines[0].start(), lines[-1].end()
            if len(lines) > 1 and (decoded := _decoded("".join(line.group() for line in lines))):
                yield start, end, decoded
            else:
                for line in lines:
                    yield from _line(line.group(), line.start())


def _wrapped(lines: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Lines that are one text, as MIME and PEM wrap it: equal lengths, of whole groups of four, the last shorter."""
    lengths = [len(line.group()) for line in lines]
    at = 0
    while at < len(lines):
        width, end = lengths[at], at + 1
        while end < len(lines) and width % 4 == 0 and lengths[end] == width:
            end += 1
        padded = width in _USUAL_LINES and end < len(lines) and lengths[end] % 4 == 0
        if end < len(lines) and (end - at > 1 or padded) and lengths[end] < width:
            end += 1
        yield lines[at:end]
        at = end


def _line(run: str, at: int) -> Iterator[Edit]:
    """A run on one line, or what separators leave of it: a path may end in base64."""
    if len(run) >= _SHORTEST and (decoded := _decoded(run)):
        yield at, at + len(run), decoded
        return
    for part in _PART.finditer(run):
        if part.group() != run and (decoded := _decoded(part.group())):
            yield at + part.start(), at + part.end(), decoded


def _decoded(run: str) -> str:
    """The text in a run of base64, or its readable stretches where the rest is binary; empty where there is none."""
    body = run.rstrip("=")
    body = body[: len(body) - (len(body) % 4 == 1)].replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4))
    except (ValueError, binascii.Error):
        return ""
    return _readable(data)


def _readable(data: bytes) -> str:
    if data[1::2].count(0) * 2 >= len(data) - 1 and not data.count(0, 0, 1):
        data = data[::2]
    with suppress(UnicodeDecodeError):
        text = data.decode()
        if text.translate(_BLANKS).isprintable():
            return text
    return "\n".join(stretch.decode() for stretch in _READABLE.findall(data))


_BLANKS = {ord(blank): " " for blank in "\n\r\t"}
_HEX = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?(?:(?:[0-9a-fA-F]{2}){12,}+|[0-9a-fA-F]{2}(?:[ :][0-9a-fA-F]{2}){11,}+)(?![0-9A-Za-z])"
)


def _hexes(text: str) -> Iterator[Edit]:
    """Hexadecimal digits that spell text."""
    for match in _HEX.finditer(text):
        digits = match.group().removeprefix("0x").replace(":", "").replace(" ", "")
        if decoded := _readable(bytes.fromhex(digits)):
            yield (*match.span(), decoded)


def _joins(text: str) -> Iterator[Edit]:
    for start, end in glue(text):
        yield start, end, ""


_READERS: dict[str, Callable[[str], Iterator[Edit]]] = {
    "escaped": _escapes,
    "url": _percents,
    "joined": _joins,
    "base64": _base64s,
    "hex": _hexes,
}
