"""Everything that detectors see in a string, as disjoint spans; JSON texts are not broken by replacing them."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.core.deep import on_empty_stack
from winnow.curation.sanitize.detector import Detector

_LITERAL = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_NUMBER = re.compile(r"-?\d[\d.eE+-]*+")
_OF_NUMBERS = frozenset("0123456789.eE+-")
_MOST_LOOKS = 16
"""Looks at one string; what uncovers more than that was made to."""
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Hit:
    """A span of code points in the scanned string, half-open, the detector that names it, and what it found.

    `value` is what stands there behind all encodings: equal values of one category are the same secret. `quoted`
    says that it is a number of a JSON text, which only a string can replace; `bare` that it is a token of code.
    """

    start: int
    end: int
    detector: Detector
    value: str
    quoted: bool = False
    bare: bool = False

    @property
    def length(self) -> int:
        return self.end - self.start


class TooTangledError(Exception):
    """Replacing what was found uncovers more, again and again."""


Look = Callable[[str], list[Hit]]
"""Hits in one string, in any order; they may overlap."""


def looking_for(detectors: Sequence[Detector]) -> Look:
    """Every detector over the string as it stands."""

    def look(text: str) -> list[Hit]:
        return [Hit(start, end, d, text[start:end]) for d in detectors for start, end in d.find(text)]

    return look


def scan(
    text: str, look: Look, is_json: bool = False, allowed: Callable[[Hit], bool] = lambda _: True
) -> list[Hit]:
    """Hits as found and their first replacements, until a further look at what is left finds nothing.

    Hits may overlap; `merged` makes them disjoint. Only those that are `allowed` count. With `is_json`, values
    are looked for in each of its strings, escapes undone, and no span cuts an escape or a quote.

    Raises TooTangledError after `_MOST_LOOKS` looks: each reads the whole string.
    """
    hits: list[Hit] = []
    covered: list[Hit] = []
    found = [hit for hit in _look_once(text, look, is_json) if allowed(hit)]
    looks = 0
    while found:
        looks += 1
        if looks > _MOST_LOOKS:
            raise TooTangledError
        hits += found
        # a placeholder may uncover what touched the value, hence the next look
        wider = merged([*covered, *found])
        if wider == covered:
            break
        covered = wider
        left = replaced(text, covered, _standing)
        uncovered = _to_input(_look_once(left, look, is_json), covered)
        found = [hit for hit in uncovered if allowed(hit)]
    return hits


def replaced(text: str, hits: Iterable[Hit], placeholder: Callable[[Hit], str]) -> str:
    """The text with every one of these disjoint, ascending hits replaced."""
    parts = []
    at = 0
    for hit in hits:
        parts += [text[at : hit.start], placeholder(hit)]
        at = hit.end
    parts.append(text[at:])
    return "".join(parts)


def merged(hits: Iterable[Hit], rank: Mapping[Detector, int] | None = None) -> list[Hit]:
    """Overlapping hits become one span under the detector and value of the longest, ties by `rank`."""
    order = rank or {}
    disjoint: list[Hit] = []
    longest = 0
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, order.get(h.detector, 0))):
        if not disjoint or hit.start >= disjoint[-1].end:
            disjoint.append(hit)
            longest = hit.length
            continue
        last = disjoint[-1]
        wins = hit.length > longest
        longest = max(longest, hit.length)
        disjoint[-1] = replace(
            hit if wins else last,
            start=last.start,
            end=max(last.end, hit.end),
            quoted=last.quoted or hit.quoted,
        )
    return disjoint


def _standing(hit: Hit) -> str:
    """What stands in the place of a hit while more is looked for."""
    return f'"{hit.detector.placeholder}"' if hit.quoted else hit.detector.placeholder


def _to_input(found: list[Hit], covered: list[Hit]) -> list[Hit]:
    """Hits in a text with placeholders, as spans of the text before; a touched placeholder is held whole."""
    starts: list[int] = []
    ends: list[int] = []
    shifts: list[int] = []
    shift = 0
    for hit in covered:
        starts.append(hit.start - shift)
        ends.append(starts[-1] + len(_standing(hit)))
        shift += hit.length - len(_standing(hit))
        shifts.append(shift)

    def back(position: int, is_end: bool) -> int:
        before = bisect_right(starts, position - 1) - 1
        if before < 0:
            return position
        if position < ends[before]:
            return covered[before].end if is_end else covered[before].start
        return position + shifts[before]

    return [replace(hit, start=back(hit.start, False), end=back(hit.end, True)) for hit in found]


def _look_once(text: str, look: Look, is_json: bool) -> list[Hit]:
    plain = look(text)
    if not is_json or not _is_valid(text):
        return plain
    hits: list[Hit] = []
    crossing: list[Hit] = []
    waiting = deque(sorted(plain, key=lambda hit: hit.start))
    for literal in _LITERAL.finditer(text):
        begin, end = literal.start() + 1, literal.end() - 1
        decoded, offsets = decode_json(text[begin:end], begin)
        places = list(offsets)
        found = look(decoded) if begin < end else []
        inside = [replace(hit, start=places[hit.start], end=places[hit.end]) for hit in found]
        spans = merged(inside)
        while waiting and waiting[0].start < literal.end():
            hit = waiting.popleft()
            if hit.end < begin:
                hits += _as_number(text, hit)
            elif hit.start in offsets and hit.end in offsets:
                # what stands before the string may tell more than it does; a part of what it tells is nothing new
                if not held(hit, spans):
                    inside.append(hit)
            elif hit.start < begin or hit.end > end:
                crossing.append(hit)
        if begin < end:
            hits += (
                _inside(hit, places, begin, end) for hit in crossing if hit.start < end and hit.end > begin
            )
        hits += inside
        crossing = [hit for hit in crossing if hit.end > literal.end()]
    return [*hits, *(number for hit in waiting for number in _as_number(text, hit))]


def held(hit: Hit, spans: list[Hit]) -> bool:
    """Whether a hit lies in one of these disjoint, ascending spans."""
    before = bisect_right(spans, hit.start, key=lambda span: span.start) - 1
    return before >= 0 and hit.end <= spans[before].end


def _inside(hit: Hit, places: list[int], begin: int, end: int) -> Hit:
    """The part of a hit that lies in one string: a key written as a list of its lines is cut line by line."""
    first = places[bisect_right(places, max(hit.start, begin)) - 1]
    last = places[bisect_left(places, min(hit.end, end))]
    return replace(hit, start=first, end=last)


def _as_number(text: str, hit: Hit) -> Iterator[Hit]:
    """A hit between strings as the whole number that it stands in; nothing where it is no number."""
    start, end = hit.start, hit.end
    while start and text[start - 1] in _OF_NUMBERS:
        start -= 1
    while end < len(text) and text[end] in _OF_NUMBERS:
        end += 1
    if _NUMBER.fullmatch(text, start, end):
        yield replace(hit, start=start, end=end, quoted=True)


def _is_valid(text: str) -> bool:
    try:
        on_empty_stack(lambda: json.loads(text))
    except (ValueError, RecursionError):
        return False
    return True


def decode_json(body: str, at: int) -> tuple[str, Collection[int]]:
    """A JSON string's characters and their positions in the text, one more for the end.

    The positions are a range where nothing is escaped, else the keys of a dict: quick to ask, and in order.
    """
    if "\\" not in body:
        return body, range(at, at + len(body) + 1)
    characters: list[str] = []
    offsets: list[int] = []
    done = 0
    for escape in _ESCAPE.finditer(body):
        characters += body[done : escape.start()]
        offsets += range(at + done, at + escape.start() + 1)
        code, short = escape.groups()
        characters.append(chr(int(code, 16)) if code else _SHORT.get(short, short))
        done = escape.end()
    characters += body[done:]
    offsets += range(at + done, at + len(body) + 1)
    return "".join(characters), dict.fromkeys(offsets)
