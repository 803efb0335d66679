"""File names that carry the state of their partition, so that a head is read from the log alone."""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace

from winnow.core.errors import ConfigError

SLUG = re.compile(r"[a-z0-9_-]+")
GLOBAL = "_global"
"""Reserved partition of a global verdict table; no source may start with an underscore."""
SPILL = "_spill"
"""Folder of the restricted root for what does not fit in memory."""

_PART = re.compile(
    r"part-(?P<stage_version>[0-9a-f]{32})-(?P<data_version>[0-9a-f]{32})"
    r"-v(?P<verdict_version>\d+|x)-(?P<nonce>[0-9a-f]{8})-(?P<number>\d{5})\.parquet"
)
_MARKER = re.compile(r"marker-[0-9a-f]{8}\.parquet")


@dataclass(frozen=True)
class PartName:
    """The state of a partition, as each of its files names it; `number` alone differs between them."""

    stage_version: str
    data_version: str
    verdict_version: int | None
    nonce: str
    number: int = 0

    def at(self, number: int) -> "PartName":
        """The name of the partition's file with that number."""
        return replace(self, number=number)

    def __str__(self) -> str:
        verdicts = "x" if self.verdict_version is None else self.verdict_version
        state = f"{self.stage_version}-{self.data_version}-v{verdicts}"
        return f"part-{state}-{self.nonce}-{self.number:05d}.parquet"


def parse_part(name: str) -> PartName | None:
    """The state in a file name, or None when the name is not one of ours."""
    match = _PART.fullmatch(name)
    if not match:
        return None
    verdicts = match["verdict_version"]
    return PartName(
        match["stage_version"],
        match["data_version"],
        None if verdicts == "x" else int(verdicts),
        match["nonce"],
        int(match["number"]),
    )


def is_marker(name: str) -> bool:
    return _MARKER.fullmatch(name) is not None


def new_nonce() -> str:
    return secrets.token_hex(4)


def marker_name() -> str:
    return f"marker-{new_nonce()}.parquet"


def folder(columns: Iterable[str], values: Iterable[str]) -> str:
    """`stage=sanitize/source=stdlib`."""
    return "/".join(f"{column}={value}" for column, value in zip(columns, values, strict=True))


def require_slug(value: str, what: str) -> None:
    """Raises ConfigError unless the value can name a partition in every engine."""
    if not SLUG.fullmatch(value):
        raise ConfigError(
            f"{what} `{value}` cannot name a partition. Use lower-case letters, digits, `_` and `-`."
        )
