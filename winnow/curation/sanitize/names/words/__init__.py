"""Which words name no person: common English, technical terms and places; and which are given names.

`common.txt` are base forms: words that the documentation of Python's packages writes in lower case, and the
general words that spaCy's English model has in its lemma tables. `terms.txt` are words that documentation writes
with a capital and that name no person (products, places, peoples, eponyms of mathematics). `given.txt` are given
names of many languages, accents folded. How each was made: docs/decisions/0014-names.md.
"""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

Kind = Literal["common", "term", "given", "either", "unknown"]
"""`either` is a given name that is also a word or a term: Mark, Rose, Paris."""

_SUFFIXES = (
    ("ies", ("y",)),
    ("ied", ("y",)),
    ("ing", ("", "e")),
    ("es", ("", "e")),
    ("ed", ("", "e")),
    ("ers", ("", "e")),
    ("er", ("", "e")),
    ("ly", ("", "le")),
    ("s", ("",)),
)


@cache
def load(name: str) -> frozenset[str]:
    """The words of one list: `common`, `terms` or `given`."""
    return frozenset(files(__package__).joinpath(f"{name}.txt").read_text("utf-8").split())


@lru_cache(maxsize=1 << 16)
def kind(word: str) -> Kind:
    """What a word can be, whatever its case.

    >>> kind("Parsing"), kind("Kafka"), kind("Élodie"), kind("Rose"), kind("Abernathy")
    ('common', 'term', 'given', 'either', 'unknown')
    """
    lower = word.lower()
    given = _is_given(lower)
    if lower in load("terms"):
        return "either" if given else "term"
    if is_common(lower):
        return "either" if given else "common"
    return "given" if given else "unknown"


def is_common(lower: str) -> bool:
    """Whether a lower-case word, or the base that it is an inflection of, is common English."""
    common = load("common")
    return lower in common or any(base in common for base in _bases(lower))


def _is_given(lower: str) -> bool:
    return fold(lower) in load("given")


def fold(lower: str) -> str:
    """Without accents, so that `josé` is looked up as `jose`."""
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFD", lower) if not unicodedata.combining(c))


def _bases(word: str) -> list[str]:
    bases = []
    for suffix, endings in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            stem = word[: -len(suffix)]
            bases += [stem + ending for ending in endings]
            if stem[-1] == stem[-2] and suffix in ("ing", "ed", "er", "ers"):
                bases.append(stem[:-1])
    return bases
