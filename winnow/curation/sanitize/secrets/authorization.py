"""Values of HTTP authorization headers, as text, in code and on command lines.

`Basic` is read as it is sent: user and password in base64; those of manuals stay.
"""

import base64
import binascii
import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.credential_url import is_known
from winnow.curation.sanitize.secrets.placeholder import is_placeholder
from winnow.curation.sanitize.secrets.randomness import is_uuid, looks_random

_HEADER = re.compile(
    r"(?a)(?<![A-Za-z:])(?i:authorization)[\"'\])}\\]{0,4}[ \t]{0,4}(?::=|=>|[:=,])[ \t]{0,4}"
    r"(?:[fFbBuUrR](?=[\"'`]))?[\"'`\\]{0,3}[ \t]{0,4}"
    r"(?:(?P<scheme>(?i:basic|bearer|token|api-?key|key|ssws|genie-?key|bot|splunk|klaviyo-api-key))"
    r"[ \t:=]{1,4}(?:(?i:token)=[\"'\\]{0,2})?)?(?P<value>[A-Za-z0-9_.~+/:%-]{4,4096}+={0,2})"
)
_BEARER = re.compile(
    r"(?a)(?<![A-Za-z0-9_])(?i:bearer)[ \t]{1,4}(?P<value>[A-Za-z0-9_.~+/-]{16,4096}+={0,2})"
)
_BASIC = re.compile(
    r"(?a)(?<![A-Za-z0-9_])(?i:basic)[ \t]{1,4}(?P<value>[A-Za-z0-9+/_-]{8,4096}+={0,2})(?![A-Za-z0-9])"
)


def basic_credentials(value: str) -> tuple[str, str] | None:
    """User and password of a value in base64; None where it does not decode to printable text with a colon.

    >>> basic_credentials("YWxhZGRpbjpvcGVuc2VzYW1l")
    ('aladdin', 'opensesame')
    """
    try:
        text = base64.b64decode(
            value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4),
            b"-_" if "-" in value or "_" in value else None,
        )
        user, colon, password = text.decode().partition(":")
    except (ValueError, binascii.Error):
        return None
    return (user, password) if colon and user.isprintable() and password.isprintable() else None


def is_basic(value: str) -> bool:
    """Whether a value in base64 is a user and a password that is none of a manual's, or a key in either's place."""
    pair = basic_credentials(value)
    if pair is None:
        return False
    user, password = pair
    return not is_known(user, password) if password else looks_random(user)


def _is_key(value: str) -> bool:
    return is_uuid(value) or (looks_random(value, 10) and not is_placeholder(value))


def search(text: str) -> Iterator[tuple[int, int]]:
    """Values behind the header's name, then those that only a scheme announces."""
    for match in _HEADER.finditer(text):
        basic = (match["scheme"] or "").lower() == "basic"
        if (
            _is_key(match["value"])
            if not basic or basic_credentials(match["value"]) is None
            else is_basic(match["value"])
        ):
            yield match.span("value")


def search_scheme(text: str) -> Iterator[tuple[int, int]]:
    """Values behind `Bearer` and `Basic` wherever they stand."""
    for match in _BEARER.finditer(text):
        if _is_key(match["value"]):
            yield match.span("value")
    for match in _BASIC.finditer(text):
        if is_basic(match["value"]):
            yield match.span("value")


AUTHORIZATION = Detector(
    "assigned_secret", "authorization_header", ("uthorization",), search, trigger=either_case("authorization")
)
AUTHORIZATION_SCHEME = Detector(
    "assigned_secret",
    "authorization_scheme",
    ("Bearer", "Basic"),
    search_scheme,
    trigger=f"(?:{either_case('bearer')}|{either_case('basic')})[ \\t]{{1,4}}[A-Za-z0-9_.~+/-]{{8}}",
)
