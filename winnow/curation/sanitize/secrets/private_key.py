"""Private keys in PEM, OpenSSH, SSH2 or PGP armour, the whole block.

A block cut off before its end line counts too. A begin line without key material behind it is the code that parses
keys, and stays.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.randomness import looks_random

_EDGE = r"(?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-{4,5}"
_BEGIN = re.compile("-{4,5} ?BEGIN " + _EDGE)
_END = re.compile("-{4,5} ?END " + _EDGE)
_MATERIAL = re.compile(r"[A-Za-z0-9+/]{24,}+")
_CUT_OFF = re.compile(
    r"""(?:(?<=\n)[A-Za-z-]{4,20}:[ ][^\n]{1,200}+|(?:\s|\\[nr]|["'+,])*+[A-Za-z0-9+/=_]{16,}+)*+"""
    r"""(?:(?:\s|\\[nr]|["'+,])++[A-Za-z0-9+/]{1,15}={1,2})?"""
)
"""Header lines and base64 as far as they go, and a last line that is padded."""
_PURE = re.compile(r"(?:\s|\\[nr])*+(?:[A-Za-z0-9+/=]{24,}+(?:\s|\\[nr])*+)++")
"""Nothing but base64 between the lines."""
_LONGEST = 20_000
"""Longest armoured key, in code points; an RSA key of 16,384 bits takes 12,800."""


def _is_material(text: str, start: int, end: int) -> bool:
    for run in _MATERIAL.finditer(text, start, end):
        kinds = [any(map(kind, run.group())) for kind in (str.isdigit, str.islower, str.isupper)]
        if sum(kinds) >= 2 and len(set(run.group())) >= 10 and (all(kinds) or looks_random(run.group())):
            return True
    return False


def search_armour(text: str) -> Iterator[tuple[int, int]]:
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
        if _is_material(text, body, end) or (closing and _PURE.fullmatch(text, body, closing.start())):
            yield start, end


PRIVATE_KEY = Detector("private_key", "armour", ("PRIVATE KEY",), search_armour)
