"""Passwords in the address of a server: `scheme://user:password@host`, of the web, databases, queues and mail.

Policy, not hidden: passwords that everyone knows (`postgres`, `guest`), those that equal the user, and templates.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.placeholder import is_placeholder
from winnow.curation.sanitize.secrets.randomness import looks_random

_URL = re.compile(
    r"(?a)(?<=[A-Za-z0-9]):\\?/\\?/(?P<user>[^\s:/?#@\"'<>\[\]\\`|]{0,200}+)"
    r"(?::(?P<password>[^\s/?#\"'<>\\`|]{1,300}))?@(?P<host>[A-Za-z0-9\[_$%{.-][A-Za-z0-9.-]{0,100}+)"
)
_SHIPPED = """
minioadmin rabbitmq mysql mongo mongodb redis elastic postgresql oracle neo4j pword p sa mariadb airflow cloudera
dbpass dbpassword
"""
_DEFAULTS = frozenset(_SHIPPED.split())
_PUBLIC_HOSTS = ("sentry.io", "ingest")
"""Hosts whose address names a client in the place of the user, and no secret."""


def is_known(user: str, password: str) -> bool:
    """Whether a password is none: a template, a default, the user again, or the word of a manual.

    >>> [is_known("ann", word) for word in ("password", "ann", "${PW}", "h0pk1ns~21s")]
    [True, True, True, False]
    """
    return is_placeholder(password) or password.lower() == user.lower() or password.lower() in _DEFAULTS


def search(text: str) -> Iterator[tuple[int, int]]:
    """The password, through the last `@` before the host, or a random user without one."""
    for match in _URL.finditer(text):
        user, password = match["user"], match["password"]
        if password is not None and not is_known(user, password):
            yield match.span("password")
        elif looks_random(user, 20) and not any(host in match["host"] for host in _PUBLIC_HOSTS):
            yield match.span("user")


CREDENTIAL_URL = Detector(
    "credential_url", "in_url", ("://",), search, trigger=r"[A-Za-z0-9]:\\?/\\?/[^/@ \t\r\n]+@"
)
