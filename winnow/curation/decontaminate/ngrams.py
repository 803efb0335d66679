r"""Tokens and n-gram hashes that see neither case, white space, kinds of quotes nor escapes of literals.

A token is `\w+` or a single `[^\w\s]` of the lower-cased NFKC text. Backslashes, and the n, r, t or uXXXX
behind them, count as white space, so that code inside a JSON string has the tokens of the code itself; a
double quote is a single one, as formatters exchange them.
"""

import re
import unicodedata

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint32]
Hashes = NDArray[np.uint64]

_TOKEN = re.compile(r"\w+|[^\w\s]")
_ESCAPE = re.compile(r"\\+(?:u[0-9a-f]{4}|[nrt])?")
_PIECE = 1 << 20
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def tokens(text: str) -> list[str]:
    r"""The tokens of a text.

    >>> tokens("If  x>=1:\n") == tokens(r"if x >= 1:\n")
    True
    """
    return _TOKEN.findall(_normal(text))


class Vocabulary(dict[str, int]):
    """The id of each known token, from 1 up; 0 for any other."""

    def __missing__(self, token: str) -> int:
        return 0


def token_ids(text: str, vocabulary: Vocabulary) -> Ids:
    """The id of each token; 0 for one that the vocabulary lacks."""
    found = []
    for piece in _pieces(_normal(text)):
        words = _TOKEN.findall(piece)
        found.append(np.fromiter(map(vocabulary.__getitem__, words), np.uint32, len(words)))
    return np.concatenate(found)


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where each token stands in the text, in code points, half-open."""
    normal = _normal(text)
    spans = [match.span() for match in _TOKEN.finditer(normal)]
    if normal.isascii() and len(normal) == len(text):
        return spans
    # composed characters shift by their length; a combining mark beside its base may be off by one
    origin = [i for i, char in enumerate(text) for _ in _normal(char)] + [len(text)] * (len(normal) + 1)
    return [(origin[start], max(origin[end - 1] + 1, origin[start])) for start, end in spans]


def hash_values(size: int) -> Hashes:
    """A 64-bit value for each id below `size` (SplitMix64), the same on every machine."""
    with np.errstate(over="ignore"):
        z = np.arange(1, size + 1, dtype=np.uint64) * _FACTOR
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


def window_hashes(ids: Ids, values: Hashes, n: int) -> Hashes:
    """A hash of every `n` consecutive ids; one shorter than `n` has none."""
    return hashes_at(ids, values, n, np.arange(max(0, len(ids) - n + 1)))


def hashes_at(ids: Ids, values: Hashes, n: int, at: NDArray[np.int64]) -> Hashes:
    """The hashes of the windows that begin at `at`."""
    hashes = np.zeros(len(at), np.uint64)
    with np.errstate(over="ignore"):
        for offset in range(n):
            hashes *= _FACTOR
            hashes += values[ids[at + offset]]
    return hashes


def _normal(text: str) -> str:
    text = (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower().replace('"', "'")
    return _ESCAPE.sub(lambda escape: " " * len(escape[0]), text) if "\\" in text else text


def _pieces(text: str) -> list[str]:
    """The text in pieces of about a megabyte that end at white space, so that lists of tokens stay small."""
    pieces = []
    at = 0
    while len(text) - at > _PIECE:
        cut = max(text.rfind(space, at, at + _PIECE) for space in " \n")
        cut = cut if cut > at else at + _PIECE
        pieces.append(text[at:cut])
        at = cut
    pieces.append(text[at:])
    return pieces
