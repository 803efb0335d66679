"""Which Python a box runs: ours where an unprivileged user may read it, else a copy that he may read.

The interpreter may lie in the home of root, which the uid of a slot cannot enter, and bubblewrap (0.8, with
`--ro-bind-fd` too) looks paths up as that uid. So as root the standard library is copied once to `STAGED`, without
packages and tests, and bound where the original lies: what is compiled into it, such as the path of libpython,
stays true. docs/decisions/0006-sandbox.md has the measurements.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STAGED = Path("/var/cache/winnow-sandbox")
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_LEFT_OUT = shutil.ignore_patterns(
    "site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "turtledemo", "config-*", "*.a"
)


@dataclass(frozen=True)
class Interpreter:
    """`executable` as the box calls it; `binds` are (host, box) folders that it needs beyond /usr."""

    executable: str
    binds: tuple[tuple[str, str], ...] = ()


@cache
def interpreter(as_root: bool) -> Interpreter | None:
    """The Python of the boxes, of our own minor version, or None where there is none that they could read."""
    base = Path(sys.base_prefix).resolve()
    executable = base / "bin" / f"python{VERSION}"
    if executable.is_file() and readable_by_others(executable) if as_root else os.access(executable, os.X_OK):
        return Interpreter(str(executable), () if base == Path("/usr") else ((str(base), str(base)),))
    place = STAGED / _name(base)
    if not place.is_dir() and as_root and executable.is_file():
        with suppress(OSError, subprocess.CalledProcessError):  # no room, or it does not run: then another
            _stage(base, place)
    if place.is_dir() and place.stat().st_uid == 0:
        return Interpreter(str(executable), ((str(place), str(base)),))
    for other in (f"/usr/local/bin/python{VERSION}", f"/usr/bin/python{VERSION}"):
        if os.access(other, os.X_OK) and readable_by_others(Path(other)):
            return Interpreter(str(Path(other).resolve()))
    return None


def readable_by_others(path: Path) -> bool:
    """Whether any user may enter the folders above `path`, and read it."""
    real = path.resolve()
    return bool(real.stat().st_mode & 0o4) and all(p.stat().st_mode & 0o1 for p in real.parents)


def open_folder(path: Path) -> None:
    """Makes a folder of ours that every user may enter, whatever the umask."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)


def _name(base: Path) -> str:
    build = f"{base} {sys.version}"
    return f"python-{VERSION}-{hashlib.sha256(build.encode()).hexdigest()[:16]}"


def _stage(base: Path, place: Path) -> None:
    """Copies what Python needs of `base`; appears whole or not at all, and only after it has run once."""
    open_folder(place.parent)
    with tempfile.TemporaryDirectory(dir=place.parent) as made:
        copy = Path(made) / "python"
        (copy / "bin").mkdir(parents=True)
        for name in ("python", "python3", f"python{VERSION}"):
            shutil.copy2(base / "bin" / f"python{VERSION}", copy / "bin" / name)
        (copy / "lib").mkdir()
        for library in (base / "lib").glob("libpython*.so*"):
            shutil.copy2(library, copy / "lib" / library.name, follow_symlinks=False)
        stdlib = f"lib/python{VERSION}"
        shutil.copytree(base / stdlib, copy / stdlib, ignore=_LEFT_OUT, symlinks=True)
        subprocess.run(["chmod", "-R", "u=rwX,go=rX", made], check=True)
        command = [str(copy / "bin" / f"python{VERSION}"), "-I", "-S", "-c", "import encodings, ctypes"]
        subprocess.run(command, check=True, env={"LD_LIBRARY_PATH": str(copy / "lib")}, capture_output=True)
        if not place.exists():
            copy.rename(place)
