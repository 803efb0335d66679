r"""Tokens of many texts at once, as 64-bit hashes.

A token is a run of `\w`, or a single character that is neither `\w` nor white space, of the NFC text, case
kept; each character of a script written without spaces is a token of its own. Classes of characters are
those of Python's `re`, scripts those of Unicode 16 (Scripts.txt).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash

_SPACELESS = """
2E80-2E99 2E9B-2EF3 2F00-2FD5 3005 3007 3021-3029 3038-303B 3400-4DBF 4E00-9FFF F900-FA6D FA70-FAD9
16FE2-16FE3 16FF0-16FF1 20000-2A6DF 2A700-2B739 2B740-2B81D 2B820-2CEA1 2CEB0-2EBE0 2EBF0-2EE5D 2F800-2FA1D
30000-3134A 31350-323AF
3041-3096 309D-309F 1B001-1B11F 1B132 1B150-1B152 1F200
30A1-30FA 30FD-30FF 31F0-31FF 32D0-32FE 3300-3357 FF66-FF6F FF71-FF9D 1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE
1B000 1B120-1B122 1B155 1B164-1B167
E01-E3A E40-E5B
E81-E82 E84 E86-E8A E8C-EA3 EA5 EA7-EBD EC0-EC4 EC6 EC8-ECE ED0-ED9 EDC-EDF
1780-17DD 17E0-17E9 17F0-17F9 19E0-19FF
1000-109F A9E0-A9FE AA60-AA7F 116D0-116E3
"""
"""Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar."""

_SPACE, _WORD, _SINGLE = 0, 1, 2
_BLOCK_CHARS = 1 << 19


@cache
def _character_classes() -> Any:
    """Space, word or single, by code point."""
    characters = "".join(map(chr, range(0x110000)))
    classes = np.full(len(characters), _SINGLE, np.uint8)
    for kind, pattern in ((_SPACE, r"\s+"), (_WORD, r"\w+")):
        for run in re.finditer(pattern, characters):
            classes[run.start() : run.end()] = kind
    for span in _SPACELESS.split():
        first, _, last = span.partition("-")
        classes[int(first, 16) : int(last or first, 16) + 1] = _SINGLE
    return classes


def token_hashes(texts: Sequence[str]) -> tuple[Any, Any]:
    """The hashes (uint64) of the tokens of all texts, text after text, and the number (int64) of each.

    A hash is xxh3-64 of the token's UTF-8, so it is the same on every machine and in every version.
    """
    texts = [t if t.isascii() else unicodedata.normalize("NFC", t) for t in texts]
    parts = [np.zeros(0, np.uint64)] * len(texts)
    for wide in (False, True):
        for block in _blocks([i for i, t in enumerate(texts) if t.isascii() != wide], texts):
            hashes, counts = _block_hashes([texts[i] for i in block], wide)
            for index, part in zip(block, np.split(hashes, np.cumsum(counts)[:-1]), strict=True):
                parts[index] = part
    flat = np.concatenate(parts) if parts else np.zeros(0, np.uint64)
    return flat, np.array([len(p) for p in parts], np.int64)


def _blocks(indices: Sequence[int], texts: Sequence[str]) -> Iterator[Sequence[int]]:
    """The same indices in pieces whose texts hold a bounded number of characters."""
    start = size = 0
    for place, index in enumerate(indices):
        size += len(texts[index])
        if size > _BLOCK_CHARS or place == len(indices) - 1:
            yield indices[start : place + 1]
            start, size = place + 1, 0


def _block_hashes(texts: Sequence[str], wide: bool) -> tuple[Any, Any]:
    joined = "\n".join([*texts, ""])
    codes = (
        np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        if wide
        else np.frombuffer(joined.encode("ascii"), np.uint8)
    )
    classes = _character_classes()[codes]
    inside = classes != _SPACE
    starts = inside.copy()
    starts[1:] &= (classes[1:] == _SINGLE) | (classes[:-1] != _WORD)
    ends = np.cumsum([len(t) + 1 for t in texts])
    counts = np.add.reduceat(starts, np.concatenate([[0], ends[:-1]]), dtype=np.int64)
    return _hash_tokens(codes[inside], starts[inside]), counts


def _hash_tokens(codes: Any, starts: Any) -> Any:
    """One hash a token; `codes` is the text without spaces, `starts` marks where each token begins."""
    offsets = np.flatnonzero(np.append(starts, True)) * codes.itemsize
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(codes)]
    tokens = pa.Array.from_buffers(pa.large_binary(), len(offsets) - 1, buffers).dictionary_encode()
    distinct: list[Any] = tokens.dictionary.to_pylist()
    if codes.itemsize > 1:
        distinct = [d.decode("utf-32-le", "surrogatepass").encode("utf-8", "surrogatepass") for d in distinct]
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, distinct), np.uint64, len(distinct))
    return hashes[tokens.indices.to_numpy()]
