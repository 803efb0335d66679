"""Private keys in PEM or PGP armour, the whole block; a block cut off before its end line too.

A begin line without key material behind it is the code that parses keys, and stays.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from winnow.curation.sanitize.detector import Detector

_EDGE = r"(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_BEGIN = re.compile("-----BEGIN " + _EDGE)
_END = re.compile("-----END " + _EDGE)
_MATERIAL = re.compile(r"[A-Za-z0-9+/]{40}")
_CUT_OFF = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nr])*")
_LONGEST = 20_000
"""Longest armoured key, in code points; an RSA key of 16,384 bits takes 12,800."""


def search(text: str) -> Iterator[tuple[int, int]]:
    """Blocks from the begin line through the end line, or through the last base64 where that is missing."""
    begins = [*(match.span() for match in _BEGIN.finditer(text)), (len(text), 0)]
    for (start, body), (following, _) in pairwise(begins):
        limit = min(following, body + _LONGEST)
        closing = _END.search(text, body, limit)
        if closing is None:
            cut_off = _CUT_OFF.match(text, body, limit)
            end = body + len(cut_off.group().rstrip()) if cut_off else body
        else:
            end = closing.end()
        if _MATERIAL.search(text, body, end):
            yield start, end


PRIVATE_KEY = Detector("private_key", "armour", ("PRIVATE KEY",), search)
