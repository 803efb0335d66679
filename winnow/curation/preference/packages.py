"""Where this environment keeps its packages, which a box has to see to import them."""

import os
import sysconfig
from pathlib import Path

from winnow.core.errors import ConfigError
from winnow.sandbox.machine import as_root


def package_folders() -> tuple[Path, ...]:
    """The folders to look into, in order.

    Raises ConfigError with the edit where a box's uid could not read them: no module would import.
    """
    folders = tuple(dict.fromkeys(Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")))
    if as_root():
        for folder in folders:
            _refuse_closed(folder)
    return folders


def _refuse_closed(folder: Path) -> None:
    """Only its own modes count: what closes a folder above it, the sandbox gets around."""
    with os.scandir(folder) as entries:
        closed = [entry.name for entry in entries if not _is_open(Path(entry.path))]
    if closed or not _is_open(folder):
        raise ConfigError(
            f"code is run under a uid of its own, which may not read {len(closed) or 'any'} of the packages in "
            f"{folder}, such as {min(closed, default=folder.name)}. Run: chmod -R o+rX {folder}"
        )


def _is_open(path: Path) -> bool:
    needed = 0o5 if path.is_dir() else 0o4
    return path.stat().st_mode & needed == needed
