"""Logins of Docker's config file: user and password in base64 under `auth`, as in npm's `_auth`."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.authorization import is_basic

_AUTH = re.compile(
    r"(?a)(?<![A-Za-z0-9])_?auth[\"'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'\\]{0,3}(?P<value>[A-Za-z0-9+/]{8,4096}+={0,2})"
)


def search(text: str) -> Iterator[tuple[int, int]]:
    """Values that decode to a user and a password."""
    for match in _AUTH.finditer(text):
        if is_basic(match["value"]):
            yield match.span("value")


DOCKER_CONFIG = Detector(
    "assigned_secret",
    "docker_config",
    ("auth",),
    search,
    trigger=r"auth[\"'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'\\]{0,3}[A-Za-z0-9+/]{8}",
)
