"""Persons and postal addresses in prose."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.curation.sanitize.names import gate, model
from winnow.curation.sanitize.names.hit import NameHit
from winnow.curation.sanitize.names.interest import interesting_lines
from winnow.curation.sanitize.names.judge import decide, needs_model
from winnow.curation.sanitize.names.shapes import Candidate
from winnow.curation.sanitize.names.window import Window, windows

Labels = Mapping[str, Sequence[tuple[int, int, str]]]
"""What the model says of each distinct window: (start, end, label) in the window's text."""
_DEGREES = re.compile(
    r"""(?x) (?: ,?[ ](?:M\.?B\.?A|M\.?D|Ph\.?D|B\.?A|M\.?A|B\.?Sc|M\.?Sc|B\.?Eng|DDS|DVM|Jr|Sr|II|III|IV|Esq)
      \b\.? (?!\w) ){1,3}"""
)
"""What may follow a name and belongs to it."""


class NameFinder:
    """Finds names in segments of prose: comments, docstrings, messages, string literals.

    The model is loaded when a segment first needs it. The hits of a segment depend on that segment alone.
    """

    def find(self, segments: Sequence[str]) -> list[list[NameHit]]:
        """Disjoint hits of each segment in ascending order, in code points of that segment.

        Raises ConfigError where Presidio, spaCy or the model is not installed and a segment needs them.
        """
        read = [read_segment(segment) for segment in segments]
        labels = _labels(read)
        return [_hits(one, labels) for one in read]


@dataclass(frozen=True)
class Reading:
    """A segment with what is certain in it, its candidates, and for those in doubt the window to read."""

    text: str
    certain: tuple[NameHit, ...]
    candidates: tuple[Candidate, ...]
    windows: tuple[Window, ...]
    window_of: Mapping[Candidate, Window]


def read_segment(text: str) -> Reading:
    """What can be said of a segment before the model is asked."""
    lines = interesting_lines(text)
    if not lines and not gate.may_hold_address(text):
        return Reading(text, (), (), (), {})
    certain = disjoint(list(gate.certain(text, lines)))
    starts = [hit.start for hit in certain]
    candidates = []
    for candidate in gate.asked(text, lines):
        index = bisect_right(starts, candidate.start) - 1
        if index < 0 or certain[index].end < candidate.end:
            candidates.append(candidate)
    doubtful = sorted((c for c in candidates if needs_model(text, c)), key=lambda c: c.start)
    views, chosen = windows(text, [(c.start, c.end) for c in doubtful])
    window_of = {c: views[index] for c, index in zip(doubtful, chosen, strict=True)}
    return Reading(text, tuple(certain), tuple(candidates), tuple(views), window_of)


def _labels(read: Sequence[Reading]) -> Labels:
    texts = list(dict.fromkeys(window.text for one in read for window in one.windows))
    results = model.entities(texts)
    return {
        t: sorted((r.start, r.end, r.entity_type) for r in found)
        for t, found in zip(texts, results, strict=True)
    }


def _hits(read: Reading, labels: Labels) -> list[NameHit]:
    hits = list(read.certain)
    for candidate in read.candidates:
        window = read.window_of.get(candidate)
        label = _label(candidate, window, labels[window.text]) if window else None
        confidence = decide(read.text, candidate, label)
        if confidence is not None:
            degrees = _DEGREES.match(read.text, candidate.end)
            end = degrees.end() if degrees else candidate.end
            hits.append(NameHit(candidate.start, end, "person", confidence))
    return disjoint(hits)


def _label(candidate: Candidate, window: Window, found: Sequence[tuple[int, int, str]]) -> str | None:
    """The label of the entity that covers most of the candidate; PERSON wins ties."""
    best: tuple[int, bool, str | None] = (0, False, None)
    for start, end, label in found:
        shared = min(candidate.end, window.back(end - 1) + 1) - max(candidate.start, window.back(start))
        if shared > 0 and (shared, label == "PERSON") > best[:2]:
            best = (shared, label == "PERSON", label)
    return best[2]


def disjoint(hits: Sequence[NameHit]) -> list[NameHit]:
    """Overlapping hits joined to one: its span holds them all, its category and confidence are the longest's."""
    joined: list[NameHit] = []
    longest = 0
    for hit in sorted(hits, key=lambda h: (h.start, -h.end, -h.confidence, h.category)):
        length = hit.end - hit.start
        if not joined or hit.start >= joined[-1].end:
            joined.append(hit)
            longest = length
            continue
        last = joined[-1]
        best = hit if length > longest else last
        longest = max(longest, length)
        joined[-1] = NameHit(last.start, max(last.end, hit.end), best.category, best.confidence)
    return joined
