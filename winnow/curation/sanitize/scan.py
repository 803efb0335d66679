"""Everything that detectors see in a string, as disjoint spans; JSON texts are not broken by replacing them."""

import json
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from winnow.core.deep import on_empty_stack
from winnow.curation.sanitize.detector import Detector

_LITERAL = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Hit:
    """A span of code points in the scanned string, half-open, the detector that names it, and what it found.

    `value` is what stands there behind all encodings: equal values of one category are the same secret.
    """

    start: int
    end: int
    detector: Detector
    value: str

    @property
    def length(self) -> int:
        return self.end - self.start


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
    are looked for behind JSON escapes too, and no span cuts an escape or a quote.
    """
    hits: list[Hit] = []
    covered: list[Hit] = []
    found = [hit for hit in _look_once(text, look, is_json) if allowed(hit)]
    while found:
        hits += found
        # a placeholder may uncover what touched the value, hence the next look
        wider = merged([*covered, *found])
        if wider == covered:
            break
        covered = wider
        left = replaced(text, covered, lambda hit: hit.detector.placeholder)
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
        disjoint[-1] = replace(hit if wins else last, start=last.start, end=max(last.end, hit.end))
    return disjoint


def _to_input(found: list[Hit], covered: list[Hit]) -> list[Hit]:
    """Hits in a text with placeholders, as spans of the text before; a touched placeholder is held whole."""

    def back(position: int, is_end: bool) -> int:
        shift = 0
        for hit in covered:
            start = hit.start - shift
            end = start + len(hit.detector.placeholder)
            if position <= start:
                break
            if position < end:
                return hit.end if is_end else hit.start
            shift += hit.length - len(hit.detector.placeholder)
        return position + shift

    return [replace(hit, start=back(hit.start, False), end=back(hit.end, True)) for hit in found]


def _look_once(text: str, look: Look, is_json: bool) -> list[Hit]:
    plain = look(text)
    if not is_json or not (plain or "\\" in text) or not _is_valid(text):
        return plain
    hits: list[Hit] = []
    waiting = deque(sorted(plain, key=lambda hit: hit.start))
    for literal in _LITERAL.finditer(text):
        decoded, offsets = decode_json(literal.group()[1:-1], literal.start() + 1)
        while waiting and waiting[0].start < literal.end():
            hit = waiting.popleft()
            if hit.start in offsets and hit.end in offsets:
                hits.append(hit)
        if not isinstance(offsets, range):
            at = list(offsets)
            hits += (replace(hit, start=at[hit.start], end=at[hit.end]) for hit in look(decoded))
    return hits


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
