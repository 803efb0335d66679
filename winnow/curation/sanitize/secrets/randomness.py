"""Whether a value was drawn at random or written by a person: words, numbers and counting give a person away."""

import math
import re
from collections import Counter
from itertools import pairwise

_COMMON_PAIRS = """
ab ac ad ag ai ak al am an ap ar as at au av ay ba be bi bl bo br bs bu ca cc ce ch ci ck cl co cr
cs ct cu da de di do ds du ea ec ed ee ef eg ei el em en ep eq er es et ev ew ex fa fe ff fi fl fo
fr fu ga ge gh gi gn go gr gs gu ha he hi ho ia ib ic id ie if ig il im in io ip ir is it iv iz ke
ki ks la ld le li ll lo ls lt lu ly ma mb me mi mm mo mp ms mu na nc nd ne nf ng ni nk nn no ns nt
nu nv oa ob oc od og oi ok ol om on oo op or os ot ou ov ow pa pe ph pi pl po pp pr ps pt pu py qu
ra rc rd re rg ri rk rl rm rn ro rr rs rt ru ry sa sc se sh si sl so sp ss st su sy ta tc te th ti
tl to tr ts tt tu ty ua ub uc ue ug ui ul um un up ur us ut va ve vi wa we wi wo xe xi xp xt yp ze
"""
_PAIRS = frozenset(_COMMON_PAIRS.split())
"""The 230 commonest pairs of letters in the words of Python source: 93 % of all pairs there, 34 % of random ones."""

_LONG = 32
"""From this length on a value that repeats a short count was still put where a key goes."""
_SEPARATOR = re.compile(r"[_.:/-]")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def is_wordy(run: str) -> bool:
    """Whether three or more letters could be part of a word: most of their pairs are common ones.

    >>> is_wordy("mesh"), is_wordy("xqzk"), is_wordy("id")
    (True, False, False)
    """
    pairs = [run[at : at + 2].lower() in _PAIRS for at in range(len(run) - 1)]
    return len(run) >= 3 and sum(pairs) >= (0.65 if len(run) < 6 else 0.55) * len(pairs)


def word_share(value: str) -> float:
    """Share of the letters and digits that belong to runs of letters that read like words.

    >>> word_share("SalesResults-1.2") > 0.8, word_share("rA1wk0Y45YCufyfq") < 0.2
    (True, True)
    """
    counted = sum(character.isalnum() for character in value)
    words = sum(len(run) for run in _RUN.findall(value) if is_wordy(run))
    return words / counted if counted else 1.0


def entropy(value: str) -> float:
    """Shannon entropy in bits a character.

    >>> entropy("aabb"), entropy("")
    (1.0, 0.0)
    """
    counts = Counter(value).values()
    return sum((-n / len(value) * math.log2(n / len(value)) for n in counts), 0.0)


def counts_up(value: str) -> bool:
    """Whether half of the steps go to the next character or stay: `abcdef`, `123456`, `xxxx`.

    >>> counts_up("abcdef123456"), counts_up("1f2e9c")
    (True, False)
    """
    steps = sum(ord(b) - ord(a) in (0, 1) for a, b in pairwise(value))
    return steps * 2 >= max(len(value) - 1, 1)


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_hex(value: str) -> bool:
    """Whether a value is hexadecimal in one case, with letters and digits.

    >>> is_hex("0fa3"), is_hex("1234"), is_hex("aF09")
    (True, False, False)
    """
    return _HEX.fullmatch(value) is not None and not value.isdigit() and not value.isalpha()


def is_slug(value: str) -> bool:
    """Whether words and numbers stand in a row: three parts or more, each of one kind, not all of one length.

    >>> is_slug("iso-2022-jp-2004"), is_slug("abcd-1234-efgh-5678"), is_slug("x9-q2-v7")
    (True, False, False)
    """
    parts = _SEPARATOR.split(value)
    plain = all(part.isdigit() or (part.isalpha() and part in (part.lower(), part.upper())) for part in parts)
    return plain and len(parts) >= 3 and len(set(map(len, parts))) > 1


def looks_random(value: str, shortest: int = 12) -> bool:
    """Whether a value of `shortest` characters or more looks drawn: no words, no counting, many characters.

    >>> looks_random("ca2f9e1b7d3c4056"), looks_random("id-Gost28147-89-None-KeyMeshing"), looks_random("hunter2")
    (True, False, False)
    """
    if (
        len(value) < shortest
        or (len(value) < _LONG and counts_up(value))
        or entropy(value) < min(2.6, math.log2(len(value)) - 0.9)
    ):
        return False
    letters = [character for character in value if character.isalpha()]
    if not letters or is_slug(value):
        return False
    share = word_share(value)
    if any(character.isdigit() for character in value):
        return share < 0.5
    cases = sum(a.isupper() != b.isupper() for a, b in pairwise(letters))
    return (len(value) >= 16 and cases >= len(letters) / 5 and share < 0.4) or (
        len(value) >= 20 and share < 0.2
    )
