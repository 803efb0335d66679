"""Where this environment keeps its packages, which a box has to see to import them."""

import os
import sysconfig
from pathlib import Path

from winnow.core.errors import ConfigError
from winnow.sandbox.interpreter import readable_by_others
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
    real = folder.resolve()
    closed = [place for place in real.parents if not place.stat().st_mode & 0o1]
    if closed:
        raise ConfigError(
            f"code is run under a uid of its own, which may not enter {closed[-1]}; the packages lie below it, in "
            f"{folder}. Move the project to where every user may go, or: chmod o+x {' '.join(map(str, closed))}"
        )
    with os.scandir(real) as entries:
        unreadable = [e.name for e in entries if not readable_by_others(Path(e.path))]
    if unreadable or not readable_by_others(real):
        raise ConfigError(
            f"code is run under a uid of its own, which may not read {len(unreadable) or 'any'} of the packages in "
            f"{folder}, such as {min(unreadable, default=folder.name)}. Run: chmod -R o+rX {folder}"
        )
