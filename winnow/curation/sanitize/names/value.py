"""The value beside a label: how far a name reaches there, and whether it is one."""

import re
from functools import lru_cache

from winnow.curation.sanitize.names.shapes import MARKS, PARTICLE
from winnow.curation.sanitize.names.words import kind

_LETTER = rf"(?:[^\W\d_]|[{MARKS}])"
_WORD = rf"{_LETTER}+(?:['’`.·・-]{_LETTER}+){{0,4}}\.?"
_VALUE = re.compile(rf"{_WORD}(?:[ \u00a0\u3000]{{1,2}}{_WORD}){{0,7}}")
_SPACED = re.compile(r"[^ \u00a0\u3000]+")
_PARTICLE = re.compile(PARTICLE + r"\Z")
_ENDS_CODE = ("=", "_", "(", "@", "/", "[")
_MOST_WORDS = 6
_TITLE_WORDS = """
mr mrs ms miss mx dr prof professor sir madam dame lord lady rev reverend hon judge capt captain sgt lt col gen maj
herr frau hr fr dipl ing med univ mag monsieur madame mademoiselle mme mlle sr sra srta señor señora senor senora don
doña sig sigra dott dottssa ra pan pani dra г-н г-жа
"""
_TITLES = frozenset(_TITLE_WORDS.split())
_DEGREE_WORDS = "md phd dds dvm jr sr esq mba msc bsc ma ba bed med eng b.eng b.sc b.a ii iii iv"
_DEGREES = frozenset(_DEGREE_WORDS.split())

Words = list[tuple[int, int]]


def name_at(text: str, at: int, trust: int) -> tuple[int, int] | None:
    """The span of the name that begins at `at`, without its title; None where what stands there names nobody.

    `trust` is how far the label is believed (`labels.trust`): at 1 a single word that is no known word is enough
    beside another, at 2 it is enough alone, and names in lower case are believed.
    """
    match = _VALUE.match(text, at)
    if match is None:
        return None
    words = [(m.start() + at, m.end() + at) for m in _SPACED.finditer(match.group())]
    after = text[match.end() : match.end() + 1]
    if after in _ENDS_CODE or after.isdigit():
        words.pop()  # the next key, a call, the local part of an address
    while len(words) > 1 and _is_title(text[words[0][0] : words[0][1]]):
        words.pop(0)
    words = _clause(text, _one_script(text, words))
    if not words or not _is_name([text[s:e] for s, e in words], trust):
        return None
    start, end = words[0][0], words[-1][1]
    full_stop = text[end - 1] == "." and end - start > 1 and text[end - 2].islower()
    return start, end - full_stop


@lru_cache(maxsize=4096)
def _is_title(word: str) -> bool:
    return all(part in _TITLES for part in re.split(r"[.-]", word.lower()) if part)


def _one_script(text: str, words: Words) -> Words:
    """The words up to the first in another writing system."""
    if not words:
        return words
    foreign = ord(text[words[0][0]]) > 0x2FF
    for index, (start, _) in enumerate(words):
        if (ord(text[start]) > 0x2FF) != foreign:
            return words[:index]
    return words


def _clause(text: str, words: Words) -> Words:
    """The words up to where another clause or sentence begins, without a particle at the end."""
    if words and text[words[0][0]].islower() and not _PARTICLE.match(text[words[0][0] : words[0][1]]):
        return _lower(text, words)
    capitals = False
    for index, (start, end) in enumerate(words):
        word = text[start:end]
        lower = word.isascii() and word[0].islower()
        if capitals and lower and not _PARTICLE.match(word):
            words = words[:index]
            break
        capitals = capitals or word[0].isupper()
        if len(word) > 2 and word[-1] == "." and word[-2].islower() and not _is_title(word):
            words = words[: index + 1]
            break
    while words and _PARTICLE.match(text[words[-1][0] : words[-1][1]]):
        words = words[:-1]
    return words


def _lower(text: str, words: Words) -> Words:
    """The words up to the first that is a common one."""
    for index, (start, end) in enumerate(words):
        if kind(text[start:end].rstrip(".")) in ("common", "term"):
            return words[:index]
    return words


def _is_name(words: list[str], trust: int) -> bool:
    plain = [word.rstrip(".") for word in words]
    kinds = [kind(word) for word in plain if len(word) > 1 and word.lower() not in _DEGREES]
    if not kinds or len(words) > _MOST_WORDS:
        return False
    if any(ord(word[0]) > 0x58F for word in plain):
        return len("".join(plain)) > 1
    capitals = [word[:1].isupper() for word in plain]
    if not capitals[0] and any(capitals) and not _PARTICLE.match(plain[0]):
        return False
    named = sum(k in ("given", "unknown", "either") for k in kinds)
    several = len(kinds) > 1
    if all(word.isupper() for word in plain if len(word) > 1) and not (several and "given" in kinds):
        return False
    if capitals[0] and (capitals[-1] or trust == 2):
        if not several:
            return kinds[0] == "given" or (trust == 2 and named == 1 and len(plain[0]) > 2)
        known = "given" in kinds or "either" in kinds or named > 1
        return known or (named == 1 and (trust == 2 or (trust == 1 and "term" not in kinds)))
    if several and "given" in kinds and named > 1:
        return True
    return trust == 2 and named == len(kinds) and (several or kinds[0] == "given")
