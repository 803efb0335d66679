"""Runs of capitalised words that could name a person, by shape and by what their words are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from winnow.curation.sanitize.names.words import Kind, kind

_LETTERS = [chr(c) for c in range(0xC0, 0x590) if chr(c).isalpha()]
UPPER = "A-Z" + "".join(c for c in _LETTERS if c.isupper())
LOWER = "a-zªº" + "".join(c for c in _LETTERS if c.islower()) + "\u0300-\u036f"
MARKS = (
    "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u200c\u200d"
)
"""Vowel signs and other marks that belong to the letter before them."""

PARTICLE = (
    "(?:de|da|do|dos|das|del|della|dela|di|du|van|von|vom|der|den|ten|ter|la|le|bin|ibn|al|el|zu|af|av|y|e|i)"
)
BEFORE = r"(?<![\w.@/\\$#%&+~^*-])"
AFTER = r"(?![\w@/\\(\[]|\.\w|::|->|-\w|_)"
_PREFIX = "(?:Mc|Mac|De|Di|Du|Da|La|Le|Lo|Fitz|Van|El|Al|Abdul?)?"
_WORD = (
    rf"(?:[{UPPER}]['’`])?{_PREFIX}[{UPPER}][{LOWER}]++"
    rf"(?:[-'’](?:[{UPPER}]?[{LOWER}]++|[{UPPER}]\.(?=[ ]))){{0,3}}"
)
"""A capitalised word: Anna, O'Neill, McDonald, Jean-Luc, Müller. Not CamelCase, not CAPITALS."""
_INITIAL = rf"[{UPPER}](?:\.|(?=[ \u00a0]))"
_GAP = r"[ \u00a0]{1,2}"
_RUN = re.compile(
    rf"{BEFORE}(?:{_INITIAL}[ \u00a0]?){{0,3}}{_WORD}"
    rf"(?:{_GAP}(?:(?:{PARTICLE}{_GAP}){{0,3}}{_WORD}|{_INITIAL})){{0,7}}{AFTER}"
)
_CAPITAL = re.compile(rf"[{UPPER}][\w'’`-]*\.?")
_CAPITALS = re.compile(rf"{BEFORE}[{UPPER}]{{2,20}}(?:[ -][{UPPER}]{{2,20}}){{1,3}}{AFTER}")
_POSSESSIVE = re.compile(r"['’]s?(?=[ ]|\Z)")
_PARTS = re.compile(r"[-'’`.]")
_CALENDAR_WORDS = """
january february march april may june july august september october november december monday tuesday wednesday thursday
friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec christmas
"""
_CALENDAR = frozenset(_CALENDAR_WORDS.split())


@dataclass(frozen=True)
class Candidate:
    """Words that could be a name; `kinds` has one entry for each that is no initial. Half-open, in code points."""

    start: int
    end: int
    kinds: tuple[Kind, ...]
    initials: bool
    lower: bool = False

    @property
    def is_single(self) -> bool:
        return len(self.kinds) == 1 and not self.initials


def candidates(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Runs between `start` and `end` with a word that is a given name or unknown, cut to those that may be a name.

    >>> [(c.start, c.end, c.kinds) for c in candidates("Ask Siobhan Carter about Redis.", 0, 31)]
    [(4, 18, ('given', 'common'))]
    """
    for match in _RUN.finditer(text, start, end):
        run = match.group()
        owner = _POSSESSIVE.search(run)
        found = _trimmed(run[: owner.start()] if owner else run, match.start())
        if found is not None:
            yield found
    for match in _CAPITALS.finditer(text, start, end):
        kinds = tuple(_kind(word) for word in match.group().split())
        if kinds[0] == "given" and "term" not in kinds:
            yield Candidate(match.start(), match.end(), kinds, initials=False)


def _trimmed(run: str, offset: int) -> Candidate | None:
    words = [(m.start(), m.end(), m.group()) for m in _CAPITAL.finditer(run)]
    kinds: list[Kind | None] = [None if len(word.rstrip(".")) == 1 else _kind(word) for _, _, word in words]
    first, last = 0, len(words) - 1
    while first <= last and kinds[first] in ("common", "term"):
        first += 1
    while last > first and kinds[last] in ("common", "term") and not _may_end(words, kinds, last):
        last -= 1
    named = tuple(k for k in kinds[first : last + 1] if k is not None)
    if all(k in ("common", "term") for k in named):
        return None
    initials = len(named) < last + 1 - first
    end = words[last][1] - (run[words[last][1] - 1] == "." and kinds[last] is not None)
    return Candidate(offset + words[first][0], offset + end, named, initials)


def _kind(word: str) -> Kind:
    """Of hyphenated words the kind that most looks like a person's."""
    parts = [kind(part) for part in _PARTS.split(word) if len(part) > 1]
    order: tuple[Kind, ...] = ("given", "unknown", "either", "term", "common")
    return min(parts, key=order.index, default="common")


def _may_end(words: list[tuple[int, int, str]], kinds: list[Kind | None], last: int) -> bool:
    """Surnames are often common words, at times terms: Emily Carter, J. Baker, Isaac Newton."""
    if kinds[last] == "term":
        return kinds[last - 1] == "given" and words[last][2].lower() not in _CALENDAR
    return kinds[last - 1] in ("given", "unknown", "either", None)
