"""Whether boxes start on this machine, and the remedy where they do not."""

import os
import shutil
import subprocess

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


def _python() -> Interpreter | None:
    return interpreter(as_root())


def _help() -> str:
    return subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False).stdout
