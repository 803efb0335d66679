"""The private and symmetric parts of JSON web keys (RFC 7517): `d`, the primes behind it, and `k`."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.placeholder import is_filler

_TYPE = re.compile(r"[\"']kty[\"'][ \t\r\n]{0,8}:")
_PART = re.compile(
    r"[\"'](?:d|k|p|q|dp|dq|qi)[\"'][ \t\r\n]{0,8}:[ \t\r\n]{0,8}[\"']([A-Za-z0-9_-]{20,1400}+)[\"']"
)
_REACH = 8_000
"""Longest flat object that is looked through on each side of the key type, in code points."""


def search(text: str) -> Iterator[tuple[int, int]]:
    """Values inside the braces around each key type."""
    done = 0
    for kind in _TYPE.finditer(text):
        if kind.start() < done:
            continue
        begin = max(
            done, text.rfind("{", max(done, kind.start() - _REACH), kind.start()), kind.start() - _REACH
        )
        close = text.find("}", kind.end(), kind.end() + _REACH)
        done = close if close >= 0 else min(len(text), kind.end() + _REACH)
        for part in _PART.finditer(text, begin, done):
            yield part.span(1)


def _is_real(value: str) -> bool:
    return len(set(value)) >= 12 and not is_filler(value)


JSON_WEB_KEY = Detector("private_key", "json_web_key", ('"kty"', "'kty'"), search, _is_real)
