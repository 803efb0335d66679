"""Which parts of a segment are worth a model's time, decided from the shapes of words alone."""

import re
from collections.abc import Iterator, Sequence

from winnow.curation.sanitize.names import addresses, labelled, scripts, table
from winnow.curation.sanitize.names.cues import says_person
from winnow.curation.sanitize.names.hit import NameHit
from winnow.curation.sanitize.names.interest import interesting_lines
from winnow.curation.sanitize.names.shapes import Candidate, candidates
from winnow.curation.sanitize.names.words import Kind, kind

_LOWER = re.compile(r"(?<![\w.@/\\$#%&+~^*<`'\"(\[{=:-])[a-zà-öø-ÿ]{2,24}(?![\w@/\\(\[{}`=:>'\"-]|\.\w)")
_DIGIT = re.compile(r"\d")
_UNHEARD = ("given", "unknown")
Lines = Sequence[tuple[int, int]]


def may_hold_name(segment: str) -> bool:
    """False only where no person and no postal address is found; linear, without the model.

    >>> may_hold_name("Parse the header and return its fields."), may_hold_name("Ask Siobhan about the header.")
    (False, True)
    """
    lines = interesting_lines(segment)
    if not lines:
        return may_hold_address(segment) and next(addresses.find(segment), None) is not None
    if next(asked(segment, lines), None) is not None or next(certain(segment, lines), None) is not None:
        return True
    return not segment.isascii() and scripts.may_hold_island(segment)


def may_hold_address(text: str) -> bool:
    """Whether there is a digit, without which there is no postal address."""
    return _DIGIT.search(text) is not None


def asked(text: str, lines: Lines) -> Iterator[Candidate]:
    """Candidates that the model is asked about."""
    for start, end in lines:
        for candidate in candidates(text, start, end):
            doubtful = candidate.is_single and candidate.kinds[0] == "either"
            if not doubtful or says_person(text, candidate.start, candidate.end):
                yield candidate
        yield from _lower(text, start, end)


def _lower(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Names without capitals: neighbours that are no known words, or a given name where a person is expected."""
    run: list[tuple[int, int, Kind]] = []
    for match in _LOWER.finditer(text, start, end):
        word = kind(match.group())
        if run and (word not in _UNHEARD or match.start() != run[-1][1] + 1 or text[run[-1][1]] != " "):
            yield from _of_run(text, run)
            run = []
        if word in _UNHEARD:
            run.append((match.start(), match.end(), word))
    yield from _of_run(text, run)


def _of_run(text: str, run: list[tuple[int, int, Kind]]) -> Iterator[Candidate]:
    kinds = tuple(word for _, _, word in run)
    if len(run) in (2, 3) or (kinds == ("given",) and says_person(text, run[0][0], run[0][1])):
        yield Candidate(run[0][0], run[-1][1], kinds, initials=False, lower=True)


def certain(text: str, lines: Lines) -> Iterator[NameHit]:
    """Hits that need no model: labels, titles, columns, other writing systems, postal addresses."""
    if lines:
        yield from labelled.find(text, lines)
        yield from table.find(text)
        if not text.isascii() and scripts.FOREIGN.search(text):
            yield from scripts.find(text)
    yield from addresses.find(text)
