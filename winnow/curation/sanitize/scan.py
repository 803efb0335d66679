"""Finding and replacing everything that detectors see in a string, JSON texts without breaking them."""

import json
import re
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from winnow.core.deep import on_empty_stack
from winnow.curation.sanitize.detector import Detector

_LITERAL = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Hit:
    """A span of code points in the scanned string, half-open, and the detector that names it."""

    start: int
    end: int
    detector: Detector


def scan(text: str, detectors: Sequence[Detector], is_json: bool = False) -> list[Hit]:
    """Disjoint hits in ascending order, such that `replace(text, hits)` holds no further hit.

    With `is_json`, values are looked for behind JSON escapes too, and no span cuts an escape or a quote.
    """
    hits: list[Hit] = []
    found = _scan_once(text, detectors, is_json)
    while found:
        # a placeholder may uncover what touched the value, hence the next look
        merged = _merge([*hits, *_to_input(found, hits)], detectors)
        found = _scan_once(replace(text, merged), detectors, is_json) if merged != hits else []
        hits = merged
    return hits


def replace(text: str, hits: Iterable[Hit]) -> str:
    """The text with every hit replaced by the placeholder of its category."""
    parts = []
    at = 0
    for hit in hits:
        parts += [text[at : hit.start], hit.detector.placeholder]
        at = hit.end
    parts.append(text[at:])
    return "".join(parts)


def _to_input(found: list[Hit], replaced: list[Hit]) -> list[Hit]:
    """Hits in a text with placeholders, as spans of the text before; a touched placeholder is held whole."""
    if not replaced:
        return found

    def back(position: int, is_end: bool) -> int:
        shift = 0
        for hit in replaced:
            start = hit.start - shift
            end = start + len(hit.detector.placeholder)
            if position <= start:
                break
            if position < end:
                return hit.end if is_end else hit.start
            shift += (hit.end - hit.start) - len(hit.detector.placeholder)
        return position + shift

    return [Hit(back(hit.start, False), back(hit.end, True), hit.detector) for hit in found]


def _scan_once(text: str, detectors: Sequence[Detector], is_json: bool) -> list[Hit]:
    plain = [Hit(start, end, d) for d in detectors for start, end in d.find(text)]
    if not is_json or not (plain or "\\" in text) or not _is_valid(text):
        return _merge(plain, detectors)
    hits: list[Hit] = []
    waiting = deque(sorted(plain, key=lambda hit: hit.start))
    for literal in _LITERAL.finditer(text):
        decoded, offsets = _decode(literal.group()[1:-1], literal.start() + 1)
        while waiting and waiting[0].start < literal.end():
            hit = waiting.popleft()
            if hit.start in offsets and hit.end in offsets:
                hits.append(hit)
        if not isinstance(offsets, range):
            at = list(offsets)
            hits += (Hit(at[s], at[e], d) for d in detectors for s, e in d.find(decoded))
    return _merge(hits, detectors)


def _is_valid(text: str) -> bool:
    try:
        on_empty_stack(lambda: json.loads(text))
    except (ValueError, RecursionError):
        return False
    return True


def _decode(body: str, at: int) -> tuple[str, Collection[int]]:
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


def _merge(hits: list[Hit], detectors: Sequence[Detector]) -> list[Hit]:
    """Overlapping hits become one span under the detector of the longest, ties in registry order."""
    rank = {detector: index for index, detector in enumerate(detectors)}
    merged: list[Hit] = []
    longest = 0
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, rank[h.detector])):
        if not merged or hit.start >= merged[-1].end:
            merged.append(hit)
            longest = hit.end - hit.start
            continue
        last = merged[-1]
        wins = hit.end - hit.start > longest
        longest = max(longest, hit.end - hit.start)
        merged[-1] = Hit(last.start, max(last.end, hit.end), hit.detector if wins else last.detector)
    return merged
