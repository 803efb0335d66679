"""Everything that is found in a batch of rows, string by string: patterns, what hides behind encodings, names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from winnow.curation.sanitize.allowance import allowance
from winnow.curation.sanitize.config import SanitizeConfig
from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.names import NameFinder, may_hold_name
from winnow.curation.sanitize.prefilter import Prefilter
from winnow.curation.sanitize.prose import Prose, holds_json
from winnow.curation.sanitize.repeats import repeated
from winnow.curation.sanitize.scan import Hit, TooTangledError, decode_json, scan
from winnow.curation.sanitize.views import views
from winnow.curation.syntax import SyntaxReader
from winnow.curation.text import row_strings

TOO_LARGE, TOO_MANY_NAMES = "sanitize-too-large", "sanitize-too-much-prose"
TOO_TANGLED = "sanitize-too-tangled"

_CONTROL_ESCAPE = re.compile(r"\\[nrt]")


def _named(category: str) -> Detector:
    return Detector(category, "model", (), lambda _: iter(()), scope="prose", confidence=0.7)


NAME_DETECTORS = {category: _named(category) for category in ("person", "address")}


@dataclass
class Found:
    """What was found in one row: hits by path, or the rule by which the row is parked unread."""

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    parked: str | None = None


@dataclass(frozen=True)
class _Segment:
    """Prose to read, and for each of its positions the one in the string that it comes from."""

    found: Found
    path: str
    text: str
    at: Sequence[int]


class Finder:
    """Applies one configuration; heavy parts are started on first need, so one lives for a whole worker."""

    def __init__(self, config: SanitizeConfig) -> None:
        self._config = config
        self._detectors = config.chosen()
        self._behind = tuple(d for d in self._detectors if d.decoded)
        self._prefilter = Prefilter(self._detectors)
        self._behind_filter = Prefilter(self._behind)
        self._stays = allowance(config.allow)
        self._reader = SyntaxReader()
        self._names = NameFinder()

    @property
    def detectors(self) -> tuple[Detector, ...]:
        """All that may be named in a hit, in the order that breaks ties."""
        return (*self._detectors, *(NAME_DETECTORS.values() if self._config.names else ()))

    def find(self, rows: Sequence[Mapping[str, Any]]) -> list[Found]:
        """One result a row. Prose that may hold names is read in one go, for all rows together."""
        results, segments = [], []
        for row in rows:
            found = Found()
            results.append(found)
            strings = list(row_strings(row))
            if sum(len(text) for _, text in strings) > self._config.max_row_characters:
                found.parked = TOO_LARGE
                continue
            try:
                waiting = [s for path, text in strings for s in self._string(row, found, path, text)]
            except TooTangledError:
                found.hits.clear()
                found.parked = TOO_TANGLED
                continue
            for path, hit in list(repeated(strings, found.hits)):
                found.hits.setdefault(path, []).append(hit)
            if sum(len(segment.text) for segment in waiting) > self._config.max_name_characters:
                found.parked = TOO_MANY_NAMES
                continue
            segments += waiting
        self._find_names(segments)
        return results

    def close(self) -> None:
        """Ends the process that reads syntax."""
        self._reader.close()

    def _string(self, row: Mapping[str, Any], found: Found, path: str, text: str) -> Iterator[_Segment]:
        """Adds the hits of the patterns, and gives what may hold names."""
        prose = Prose(row, path, text, self._reader)

        def allowed(hit: Hit) -> bool:
            return not self._stays(hit) and (hit.detector.scope == "text" or prose.holds(hit.start))

        is_json = holds_json(row, path)
        hits = scan(text, self._look, is_json, allowed)
        if hits:
            found.hits[path] = [prose.bare(hit) for hit in hits]
        if self._config.names:
            for start, end in prose.segments():
                part, at = _readable(text[start:end], start, is_json)
                if may_hold_name(part):
                    yield _Segment(found, path, part, at)

    def _look(self, text: str) -> list[Hit]:
        hits = [
            Hit(start, end, detector, text[start:end])
            for detector in map(self._detectors.__getitem__, self._prefilter.candidates(text))
            for start, end in detector.closely(text)
        ]
        for view in views(text):
            for detector in map(self._behind.__getitem__, self._behind_filter.candidates(view.text)):
                for start, end in detector.closely(view.text):
                    hits.append(Hit(*view.back(start, end), detector, view.text[start:end]))
        return hits

    def _find_names(self, segments: Sequence[_Segment]) -> None:
        if not segments:
            return
        for segment, names in zip(segments, self._names.find([s.text for s in segments]), strict=True):
            for name in names:
                value = segment.text[name.start : name.end]
                start, end = segment.at[name.start], segment.at[name.end]
                hit = Hit(start, end, NAME_DETECTORS[name.category], value)
                if not self._stays(hit):
                    segment.found.hits.setdefault(segment.path, []).append(hit)


def _readable(part: str, start: int, is_json: bool) -> tuple[str, Sequence[int]]:
    """Prose without the escapes of the code around it, and where each of its characters stands."""
    if is_json:
        decoded, offsets = decode_json(part, start)
        return decoded, list(offsets)
    return _CONTROL_ESCAPE.sub("  ", part), range(start, start + len(part) + 1)


@lru_cache(maxsize=4)
def _finder(settings: str) -> Finder:
    return Finder(SanitizeConfig.model_validate_json(settings))


def finder(config: SanitizeConfig) -> Finder:
    """The finder of a configuration; a process builds it once."""
    return _finder(config.model_copy(update={"fingerprint_key": None}).model_dump_json())
