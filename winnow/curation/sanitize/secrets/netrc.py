"""Passwords of .netrc files: `machine host login user password secret`, on one line or several."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.placeholder import is_placeholder

_ENTRY = re.compile(
    r"(?<![\w.-])(?:machine[ \t]+[A-Za-z0-9.:_-]{1,200}|default)(?:\s++(?:login|account)\s++[^\s\"'\\]{1,200}+){1,3}+"
    r"\s++password\s++(?P<after>[^\s\"'\\]{1,300}+)"
    r"|(?<![\w.-])machine[ \t]+[A-Za-z0-9.:_-]{1,200}+\s++password\s++(?P<before>[^\s\"'\\]{1,300}+)"
)


def search(text: str) -> Iterator[tuple[int, int]]:
    """The password of each entry that is no placeholder."""
    for match in _ENTRY.finditer(text):
        name = "after" if match["after"] else "before"
        if not is_placeholder(match[name]):
            yield match.span(name)


NETRC = Detector(
    "assigned_secret",
    "netrc",
    ("machine", "login"),
    search,
    trigger=r"(?:machine|login)[ \t\r\n]+[!-~]+[ \t\r\n]+(?:login|account|password)",
)
