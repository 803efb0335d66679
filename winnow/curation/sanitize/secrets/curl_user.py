"""Credentials given to curl, wget and HTTPie on a command line: `-u user:password`, `--user`, `--password`."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.credential_url import is_known
from winnow.curation.sanitize.secrets.placeholder import is_placeholder
from winnow.curation.sanitize.secrets.randomness import looks_random

_COMMAND = re.compile(r"(?<![\w-])(?:(?:curl|wget)(?:\.exe)?(?=[ \t\\\"',])|https?(?= -))")
_FLAG = re.compile(
    r"(?<![\w-])(?:-u|--user|--proxy-user|-U|-a|--auth)(?:=|[ \t]{1,5}|[\"'][ \t]{0,3},[ \t]{0,3}|)(?:"
    r"(?P<quote>\\?[\"'])(?P<user>[^:\"'\n]{0,200}+):(?P<password>(?:(?!(?P=quote))[^\n]){0,300}+)"
    r"|(?P<bare_user>[^\s:\"'\\]{0,200}+):(?:[\"'](?P<quoted>[^\"'\n]{1,300}+)|(?P<bare>[^\s\"'\\)]{0,300}+)))"
)
_NEXT = re.compile(r"\n(?<!\\\n)")
_REACH = 3_000


def search(text: str) -> Iterator[tuple[int, int]]:
    """The password of each pair, or a user that stands alone before the colon, as a key does."""
    done = 0
    for command in _COMMAND.finditer(text):
        begin = max(done, command.end())
        limit = min(len(text), command.end() + _REACH)
        line = _NEXT.search(text, begin, limit)
        done = max(done, line.start() if line else limit)
        for match in _FLAG.finditer(text, begin, done):
            yield from _credentials(match)


def _credentials(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    user = "user" if match["quote"] else "bare_user"
    password = next((name for name in ("password", "quoted", "bare") if match[name]), None)
    if password:
        if not is_known(match[user], match[password]):
            yield match.span(password)
    elif looks_random(match[user], 8) and not is_placeholder(match[user]):
        yield match.span(user)


CURL_USER = Detector("assigned_secret", "curl_user", ("curl", "wget", "http"), search)
