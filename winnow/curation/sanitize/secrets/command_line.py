"""Passwords among the arguments of commands whose flag for them is one letter, as of mysql and sshpass."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.placeholder import is_placeholder

_VALUE = (
    r"(?:\"(?P<double>[^\"\n]{1,200}+)\"|'(?P<single>[^'\n]{1,200}+)'"
    r"|(?P<bare>[^\s\"'`|;&<>\\-][^\s\"'`|;&<>\\]{0,199}+))"
)
_COMMANDS = re.compile(
    r"(?a)(?<![\w./-])(?:"
    r"(?:mysql|mysqldump|mysqladmin|mariadb)(?=[ \t])[^\n|;&]{0,300}?[ \t]-p|sshpass[ \t]{1,4}-p[ \t]{0,4}"
    r"|docker[ \t]{1,4}login(?=[ \t])[^\n|;&]{0,300}?[ \t]-p[ \t=]{1,4}"
    r"|redis-cli(?=[ \t])[^\n|;&]{0,300}?[ \t]-a[ \t=]{1,4}"
    r"|(?:sqlcmd|bcp)(?=[ \t])[^\n|;&]{0,300}?[ \t]-P[ \t]{0,4}"
    r"|(?:ldapsearch|ldapadd|ldapmodify)(?=[ \t])[^\n|;&]{0,300}?[ \t]-w[ \t]{1,4}"
    rf"){_VALUE}"
)


def search(text: str) -> Iterator[tuple[int, int]]:
    """The value of the flag, without its quotes."""
    for match in _COMMANDS.finditer(text):
        name = next(name for name in ("double", "single", "bare") if match[name])
        if len(match[name]) >= 4 and not is_placeholder(match[name]):
            yield match.span(name)


COMMAND_LINE = Detector(
    "assigned_secret",
    "command_line",
    ("mysql", "mariadb", "sshpass", "docker login", "redis-cli", "ldap", "sqlcmd", "bcp"),
    search,
    trigger=r"(?:mysql|mariadb|sshpass|docker[ \t]{1,4}login|redis-cli|ldap|sqlcmd|bcp)[^\n|;&]{0,300}[ \t]-[pPwa]",
)
