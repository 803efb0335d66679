"""Private keys in PuTTY's own file format, from the first line through the checksum."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector

_BEGIN = "PuTTY-User-Key-File"
_PRIVATE = re.compile(
    r"Private-Lines: [0-9]{1,3}(?:[\s\"'+]|\\[nr])*+(?:(?!Private-)[A-Za-z0-9+/=]{2,80}+(?:[\s\"'+]|\\[nr])*+){1,200}+"
    r"(?:Private-(?:MAC|Hash): [0-9a-f]{40,64})?"
)
_LONGEST = 20_000


def search(text: str) -> Iterator[tuple[int, int]]:
    """One span a file that has private lines; what holds only the public half stays."""
    start = text.find(_BEGIN)
    while start >= 0:
        following = text.find(_BEGIN, start + 1)
        limit = min(following if following >= 0 else len(text), start + _LONGEST)
        if private := _PRIVATE.search(text, start, limit):
            yield start, start + len(text[start : private.end()].rstrip(" \t\r\n\"'+"))
        start = following


PUTTY_KEY = Detector("private_key", "putty", (_BEGIN,), search)
