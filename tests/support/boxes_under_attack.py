"""One slot under attack, as root or as an ordinary user, and what an attack must leave as it was."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from winnow.sandbox import Limits, Result, Sandbox
from winnow.sandbox.interpreter import VERSION, readable_by_others

REPO = Path(__file__).parents[2]
SCRIPTS = REPO / "tests/winnow/sandbox"
NOBODY = 65534
SCRIPT = ["python", "-I", "-S", "attack.py"]
DEFAULTS = {"wall_seconds": 20.0, "cpu_seconds": 10}


def python_of_others() -> str | None:
    """A Python that any user may run: ours, or the system's of the same version."""
    for candidate in (sys.executable, f"/usr/local/bin/python{VERSION}", f"/usr/bin/python{VERSION}"):
        real = Path(candidate).resolve()
        if real.is_file() and readable_by_others(real):
            return candidate
    return None


def environment_of_others() -> dict[str, str]:
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{REPO}:{packages}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def marked(mark: str) -> list[int]:
    """Processes whose command line holds a mark."""
    found = []
    for entry in os.scandir("/proc"):
        try:
            words = Path(f"/proc/{entry.name}/cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if mark.encode() in words:
            found.append(int(entry.name))
    return found


class Attacker:
    """Runs attacks in one slot, always the same, and looks at the machine afterwards."""

    def __init__(self, user: str, shared: Path) -> None:
        self.mark = f"winnow-attack-{os.getpid()}-{id(self)}"
        self._own: Sandbox | None = None
        self._server: subprocess.Popen[bytes] | None = None
        if user == "nobody" and os.geteuid() == 0:
            self._server = _server(shared)
            remedy = pickle.load(self._server.stdout)
            if remedy:
                pytest.skip(f"no sandbox for an ordinary user: {remedy}")
        else:
            self._own = Sandbox(slots=1, read_only=[shared])

    def run(self, code: str, files: dict[str, bytes] | None = None, **limits: Any) -> Result:
        """The result of a Python script in the box."""
        files = {**(files or {}), "attack.py": code.encode()}
        command, limits = [*SCRIPT, self.mark], DEFAULTS | limits
        if self._own:
            return self._own.run(command, files, Limits(**limits))
        pickle.dump((command, files, limits), self._server.stdin)
        self._server.stdin.flush()
        return pickle.load(self._server.stdout)

    def assert_unharmed(self) -> None:
        """Nothing survives, and the next run on the same slot works, with an empty work folder."""
        assert marked(self.mark) == []
        result = self.run("import os; print(sorted(os.listdir('/tmp')), os.listdir('.'))")
        assert (result.outcome, result.reason, result.stderr) == ("exited", "exit 0", b"")
        assert result.stdout == b"['box'] ['attack.py']\n"

    def close(self) -> None:
        if self._own:
            self._own.close()
        if self._server:
            self._server.stdin.close()
            self._server.wait()
            self._server.stdout.close()


def _server(shared: Path) -> subprocess.Popen[bytes]:
    python = python_of_others()
    if python is None or not readable_by_others(REPO):
        pytest.skip(f"no Python {VERSION}, or not this folder, may be read by an ordinary user")
    return subprocess.Popen(
        [python, str(SCRIPTS / "as_nobody.py"), str(shared)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment_of_others(),
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
    )
