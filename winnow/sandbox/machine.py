"""Whether boxes start on this machine, and the remedy where they do not."""

import os
import shutil
import subprocess
from pathlib import Path

from winnow.core.errors import ConfigError
from winnow.sandbox.interpreter import VERSION, Interpreter, interpreter


class SandboxUnavailable(ConfigError):
    """No box can be started here; the message is the remedy."""


def as_root() -> bool:
    return os.geteuid() == 0


def missing() -> str | None:
    """What must be installed first, in one line, or None. Starts nothing, except that root copies Python once."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is missing: apt-get install bubblewrap"
    if as_root() and shutil.which("setpriv") is None:
        return "setpriv is missing: apt-get install util-linux"
    if "--disable-userns" not in _help():
        return "bubblewrap is older than 0.8: install a newer one"
    if _python() is None:
        return f"no Python {VERSION} that every user may read: apt-get install python{VERSION}"
    return None


def python() -> Interpreter:
    """The Python of the boxes. Raises SandboxUnavailable with the remedy."""
    found = _python()
    remedy = missing()
    if remedy or found is None:
        raise SandboxUnavailable(remedy or "no Python")
    return found


# What keeps an unprivileged user from making namespaces: a setting, its value that does, and the one that does not.
_REFUSALS = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("user/max_user_namespaces", "0", "15000"),
)


def remedy_of(said: str) -> str:
    """The remedy for a box that did not start, given how it ended."""
    for name, refusing, allowing in _REFUSALS:
        setting = Path("/proc/sys") / name
        if setting.is_file() and setting.read_text(encoding="ascii").strip() == refusing:
            return f"user namespaces are refused: sysctl -w {name.replace('/', '.')}={allowing}"
    return f"a box does not start ({said}): allow user namespaces here, as on a host or with a wider seccomp profile"


def _python() -> Interpreter | None:
    return interpreter(as_root())


def _help() -> str:
    return subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False).stdout
