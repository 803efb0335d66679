"""Folders that a box's uid cannot get to, because they lie below one such as root's home.

As root each box then gets a mount namespace of its own in which they are bound to a place that everyone can enter,
before the uid is dropped; bubblewrap binds them from there to where they were asked for, read-only.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from winnow.core.errors import ConfigError
from winnow.sandbox.interpreter import STAGED, open_folder, readable_by_others

_MOUNT = """
while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 1; shift 2; done
shift
exec "$@"
"""


@dataclass(frozen=True)
class Shown:
    """A path of the host that a box sees at the same place; `staged` is where it is bound first, if anywhere."""

    path: Path
    staged: Path | None = None

    @property
    def host(self) -> str:
        """The path that bubblewrap is given."""
        return str(self.staged or self.path)


def shown(path: Path, as_root: bool) -> Shown:
    """How a box gets to see `path`. Raises ConfigError where it is not there, or its own mode forbids it."""
    path = path.absolute()
    if not path.exists():
        raise ConfigError(f"`read_only`: {path}: no such path")
    if not as_root or readable_by_others(path):
        return Shown(path)
    if path.stat().st_mode & 0o5 != 0o5 or not path.is_dir():
        raise ConfigError(f"`read_only`: {path} cannot be read by a box's uid: chmod o+rx it")
    staged = STAGED / "shown" / hashlib.sha256(str(path).encode()).hexdigest()[:16]
    open_folder(STAGED)
    open_folder(staged.parent)
    open_folder(staged)
    return Shown(path, staged)


def mounted(paths: Sequence[Shown]) -> list[str]:
    """The part of a command line that binds what is closed, before anything else runs; empty where nothing is."""
    closed = [word for each in paths if each.staged for word in (str(each.path), str(each.staged))]
    if not closed:
        return []
    return [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        _MOUNT,
        "winnow-mount",
        *closed,
        "--",
    ]
