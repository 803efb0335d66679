"""Keys of Amazon Web Services: the access key id by its form, the secret key by its name or by an id nearby.

Policy, not hidden: the keys of Amazon's manuals, which hold EXAMPLE, and ids of one letter X.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.randomness import looks_random

_ID = re.compile(r"(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])")
_SECRET = re.compile(r"(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])")
_NEAR = 400
"""How far from an access key id its secret is looked for, in code points."""
_PREFIXES = ("A3T", "AKIA", "ASIA", "ABIA", "ACCA")
_ID_TRIGGER = r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"


def _is_real(value: str) -> bool:
    return "EXAMPLE" not in value.upper() and set(value[4:]) != {"X"}


def _is_named_secret(value: str) -> bool:
    return _is_real(value) and len(set(value)) >= 6


def _is_secret(value: str) -> bool:
    kinds = (str.isdigit, str.islower, str.isupper)
    return _is_real(value) and all(any(map(kind, value)) for kind in kinds) and looks_random(value, 40)


def search_near_id(text: str) -> Iterator[tuple[int, int]]:
    """Forty characters of base64 that stand alone within reach of an access key id."""
    done = 0
    for match in _ID.finditer(text):
        begin = max(done, match.start() - _NEAR)
        done = match.end() + _NEAR
        for secret in _SECRET.finditer(text, begin, min(len(text), done)):
            yield secret.span()


_NAMED = (
    r"(?a)(?i:aws\w{0,24}?secret\w{0,24}|secret_?access_?key)"
    r"[\\\"' \t\r\n\])]{0,6}(?::=|=>|[:=,>(])[\\\"' \t\r\n]{0,6}"
    r"(?P<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)

AWS_ACCESS_KEY = Detector(
    "token", "aws_access_key_id", _PREFIXES, pattern(_ID.pattern), _is_real, _ID_TRIGGER
)
AWS_SECRET_BY_NAME = Detector(
    "token",
    "aws_secret_by_name",
    ("secret", "SECRET", "Secret"),
    pattern(_NAMED, "value"),
    _is_named_secret,
    rf"{either_case('secret')}[A-Za-z0-9_]{{0,24}}[\\\"' \t\r\n\])]{{0,6}}(?::=|=>|[:=,>(])",
)
AWS_SECRET_NEAR_ID = Detector(
    "token", "aws_secret_near_id", _PREFIXES, search_near_id, _is_secret, _ID_TRIGGER
)
