"""The demo as a user starts it: a process of its own, in places of its own, killed at will."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from seaweed import Seaweed

from winnow.lake.lake import Lake
from winnow.lake.settings import LakeSettings

PROJECT = Path(__file__).parents[2]
WINNOW = str(Path(sys.executable).parent / "winnow")
_OURS = ("LAKE_", "WINNOW_", "AWS_", "DAGSTER_")


@dataclass(frozen=True)
class Places:
    """Where one lake and everything about it lies; `lake_env` says where its two roots are."""

    root: Path
    lake_env: dict[str, str]
    settings: dict[str, str] = field(default_factory=dict)

    @classmethod
    def in_folder(cls, root: Path, **settings: str) -> "Places":
        root.mkdir(parents=True, exist_ok=True)
        lake_env = {"LAKE_ROOT": str(root / "lake"), "LAKE_RAW_ROOT": str(root / "lake_raw")}
        return cls(root, lake_env, settings)

    @classmethod
    def on_s3(cls, root: Path, server: Seaweed, **settings: str) -> "Places":
        root.mkdir(parents=True, exist_ok=True)
        return cls(root, server.lake_env(), settings)

    @property
    def lake(self) -> Lake:
        return Lake.open(LakeSettings.from_env(self.lake_env))

    def environment(self, **more: str) -> dict[str, str]:
        """This process's environment without any setting of ours but those of these places."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        home = {
            "DAGSTER_HOME": str(self.root / "dagster"),
            "WINNOW_WORK": str(self.root / "work"),
            "WINNOW_CACHE": str(self.root.parent / "winnow-cache"),
        }
        return {**plain, **home, **self.lake_env, **self.settings, **more}

    def start(self, *arguments: str, **more: str) -> "subprocess.Popen[str]":
        """`winnow ARGUMENTS` in a process group of its own."""
        return subprocess.Popen(
            [WINNOW, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment(**more),
            cwd=PROJECT,
            start_new_session=True,
        )

    def winnow(self, *arguments: str, code: int = 0, **more: str) -> str:
        """What `winnow ARGUMENTS` prints; the exit code is held against `code`."""
        done = subprocess.run(
            [WINNOW, *arguments],
            capture_output=True,
            text=True,
            env=self.environment(**more),
            cwd=PROJECT,
            timeout=280,
            check=False,
        )
        assert done.returncode == code, f"winnow {' '.join(arguments)}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def demo(self, train: bool = False, **more: str) -> str:
        """Runs the tiny demo to its end, or from where it was killed."""
        return self.winnow("demo", "--profile", "tiny", *([] if train else ["--no-train"]), **more)

    def killed_at(self, point: str, **more: str) -> str:
        """Runs the tiny demo until a crash point kills it, as `copied:6`; returns what it had printed."""
        crash = {"WINNOW_CRASH_AT": point, "WINNOW_CRASH_DIR": str(self._crash_folder())}
        process = self.start("demo", "--profile", "tiny", "--no-train", **crash, **more)
        printed, _ = process.communicate(timeout=280)
        assert process.returncode == -signal.SIGKILL, f"{point} was never reached: {printed}"
        end_group(process)
        return printed

    def killed_when(
        self, reached: Callable[[float], bool], train: bool = False, alone: bool = False
    ) -> float:
        """Runs the tiny demo and kills it once `reached(seconds)`; returns the seconds it ran.

        All that it started is killed with it, unless it is killed `alone`: then they have to end by themselves.
        """
        process = self.start("demo", "--profile", "tiny", *([] if train else ["--no-train"]))
        began = time.monotonic()
        while not reached(time.monotonic() - began):
            assert process.poll() is None, f"it ended before it was killed: {process.communicate()[0]}"
            assert time.monotonic() - began < 280
            time.sleep(0.005)
        seconds = time.monotonic() - began
        if alone:
            process.kill()
        else:
            end_group(process)
        process.communicate(timeout=30)  # until nobody holds its output
        assert process.returncode == -signal.SIGKILL
        return seconds

    def _crash_folder(self) -> Path:
        folder = self.root / "crash"
        folder.mkdir(exist_ok=True)
        for counted in folder.iterdir():
            counted.unlink()
        return folder


def end_group(process: "subprocess.Popen[str]") -> None:
    """Kills a process and all that it started, at once."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
