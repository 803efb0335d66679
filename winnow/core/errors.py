"""One family of errors, split by who acts. A message gives the value, the need and the edit.

WinnowError
├── ConfigError     edit the configuration: sources.yaml, a recipe, an environment variable
├── DataError       fix the data: a table or record broke its contract
└── RunError        retry, or fix the machine: disk, network, a lost race, a killed child
"""

from collections.abc import Iterable
from difflib import get_close_matches


class WinnowError(Exception):
    """Base of all errors that a user can act on; the command line prints it as one line."""


class ConfigError(WinnowError):
    """The configuration must be edited."""


class DataError(WinnowError):
    """The data broke its contract."""


class AuditError(DataError):
    """A candidate failed its audit; the last good partition stays and the candidate lies under rejected/."""

    def __init__(self, message: str, rejected: str, failures: tuple[str, ...]) -> None:
        super().__init__(message)
        self.rejected = rejected
        self.failures = failures

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return (type(self), (str(self), self.rejected, self.failures))


class RunError(WinnowError):
    """The machine, the network or a race got in the way; a retry may pass."""


class ConflictError(RunError):
    """Another writer published this partition first, with other content."""


def near_miss(word: str, known: Iterable[str]) -> str:
    """The clause ` Did you mean ...?` for the nearest known word, or nothing.

    >>> near_miss("thresold", ["threshold", "seed"])
    ' Did you mean `threshold`?'
    >>> near_miss("zzz", ["threshold"])
    ''
    """
    matches = get_close_matches(word, list(known), n=1)
    return f" Did you mean `{matches[0]}`?" if matches else ""
