"""Tokens of GitHub: personal, OAuth, app and refresh tokens, and the fine-grained kind.

The last six characters of a classic token are the CRC-32 of the thirty before, in base 62: where they agree, the
token is one, however few characters it has.
"""

import zlib

from winnow.curation.sanitize.secrets.known_shape import known_shape, varied_body

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_is_varied = varied_body(12)


def checksum(body: str) -> str:
    """The six characters that end a classic token whose thirty characters are `body`.

    >>> checksum("0" * 30)
    '2C8GjS'
    """
    rest, written = zlib.crc32(body.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        written = _DIGITS[digit] + written
    return written


def _is_token(value: str) -> bool:
    return _is_varied(value) or (len(value) == 40 and checksum(value[4:34]) == value[34:])


GITHUB_CLASSIC = known_shape(
    "github_classic",
    ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    r"gh[pousr]_[A-Za-z0-9]{36,255}",
    accept=_is_token,
)
GITHUB_FINE_GRAINED = known_shape(
    "github_fine_grained",
    ("github_pat_",),
    r"github_pat_[A-Za-z0-9_]{40,255}",
    least=16,
)
