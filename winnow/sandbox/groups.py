"""Control groups, v1 and v2: the memory, the processes and the CPU time of a whole tree, held by the kernel."""

import os
import signal
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from winnow.core.errors import RunError

ROOT = Path("/sys/fs/cgroup")
NO_LIMIT = -1
# bubblewrap itself: one process outside of the box, one inside.
OWN_PROCESSES = 2


@cache
def own_groups() -> dict[str, Path]:
    """The folder of this process's group by controller ("" is the unified hierarchy), where mounted."""
    mounts: dict[str, Path] = {}
    if not Path("/proc/self/cgroup").exists():
        return mounts
    for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines():
        _, place, kind, options, *_ = line.split()
        if kind == "cgroup2":
            mounts[""] = Path(place)
        elif kind == "cgroup":
            mounts.update({name: Path(place) for name in options.split(",")})
    found = {}
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            if name in mounts:
                folder = mounts[name] / path.lstrip("/")
                # A container may see its own group as the root of the mount, and its name as the host's.
                found[name] = folder if folder.is_dir() else mounts[name]
    return found


class Groups:
    """The groups of one slot. Empty where none can be made; then a supervisor has to look after the box."""

    def __init__(self, name: str) -> None:
        self.version = 0
        self.folders: dict[str, Path] = {}
        self._set: dict[Path, str] = {}
        self._start: dict[str, int] = {}
        for version, controllers in ((2, ("",)), (1, ("memory", "pids", "cpuacct"))):
            for controller in controllers:
                folder = _made(name, controller)
                if folder:
                    self.folders[controller] = folder
            if "" in self.folders or "memory" in self.folders:
                self.version = version
                break

    @property
    def memory_by(self) -> str:
        return f"cgroup-v{self.version}" if self.version else "supervisor"

    @property
    def holds_processes(self) -> bool:
        return self.version == 2 or "pids" in self.folders

    @property
    def joins(self) -> list[Path]:
        """Files to which a process writes 0 to enter."""
        return [folder / "cgroup.procs" for folder in self.folders.values()]

    def begin(self, memory_bytes: int, processes: int) -> None:
        """Sets the limits of the next box and notes where the counters stand."""
        if self.version == 2:
            self._write("", "memory.max", memory_bytes)
            self._write("", "memory.swap.max", 0)
            self._write("", "memory.oom.group", 1)
            self._write("", "pids.max", processes + OWN_PROCESSES)
        if self.version == 1:
            folder = self.folders["memory"]
            if self._set.get(folder / "memory.limit_in_bytes") != str(memory_bytes):
                self._write("memory", "memory.memsw.limit_in_bytes", NO_LIMIT)
                self._write("memory", "memory.limit_in_bytes", memory_bytes)
                self._write("memory", "memory.memsw.limit_in_bytes", memory_bytes)
            with suppress(OSError):
                (folder / "memory.max_usage_in_bytes").write_text("0", encoding="ascii")
            self._write("pids", "pids.max", processes + OWN_PROCESSES)
        self._start = {"memory": self._usage(), "kills": self._kills(), "refused": self._refused()}
        self._start["cpu"] = self._cpu()

    def peak(self) -> int:
        """Highest memory since `begin`, less what the cache of an earlier box still held then."""
        if self.version == 1:
            return max(self._number("memory", "memory.max_usage_in_bytes") - self._start["memory"], 0)
        return max(self._number("", "memory.peak") - self._start["memory"], 0)

    def killed_for_memory(self) -> bool:
        return self._kills() > self._start["kills"]

    def refused_processes(self) -> bool:
        return self._refused() > self._start["refused"]

    def cpu_seconds(self) -> float | None:
        """CPU time of the tree since `begin`, or None where the kernel does not count it."""
        now = self._cpu()
        return (now - self._start["cpu"]) / 1e9 if now else None

    def kill(self, patience: float = 5.0) -> bool:
        """Kills every process inside; False where some still is after `patience` seconds."""
        until = time.monotonic() + patience
        while pids := self._pids():
            if time.monotonic() > until:
                return False
            with suppress(OSError):
                (self.folders.get("", Path("/none")) / "cgroup.kill").write_text("1", encoding="ascii")
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        return True

    def _pids(self) -> set[int]:
        found: set[int] = set()
        for folder in self.folders.values():
            found.update(int(pid) for pid in (folder / "cgroup.procs").read_text(encoding="ascii").split())
        return found

    def _write(self, controller: str, name: str, value: int) -> None:
        path = self.folders.get(controller, Path("/none")) / name
        if self._set.get(path) != str(value) and path.exists():
            for tries in range(50, -1, -1):
                try:
                    path.write_text(str(value), encoding="ascii")
                    break
                except OSError as error:  # what an earlier box held may not be given back yet
                    if not tries:
                        raise RunError(f"control group: {value} in {path}: {error}") from None
                    time.sleep(0.01)
            self._set[path] = str(value)

    def _number(self, controller: str, name: str, key: str = "") -> int:
        """A file's number, or that of the line that begins with `key`; 0 where there is none."""
        try:
            text = (self.folders.get(controller, Path("/none")) / name).read_text(encoding="ascii")
        except OSError:
            return 0
        if not key:
            return int(text)
        return next((int(line.split()[1]) for line in text.splitlines() if line.split()[0] == key), 0)

    def _usage(self) -> int:
        if self.version == 1:
            return self._number("memory", "memory.usage_in_bytes")
        return self._number("", "memory.current")

    def _kills(self) -> int:
        if self.version == 1:
            return self._number("memory", "memory.oom_control", "oom_kill")
        return self._number("", "memory.events", "oom_kill")

    def _refused(self) -> int:
        return self._number("pids" if self.version == 1 else "", "pids.events", "max")

    def _cpu(self) -> int:
        if self.version == 1:
            return self._number("cpuacct", "cpuacct.usage")
        return 1000 * self._number("", "cpu.stat", "usage_usec")


def _made(name: str, controller: str) -> Path | None:
    """The folder of a new group that a process of ours can enter, or None."""
    own = own_groups().get(controller)
    if own is None:
        return None
    # In v2 a group that holds processes hands no controller down, so a sibling is tried as well.
    for base in (own, own.parent) if controller == "" else (own,):
        if controller == "" and not _hands_down_memory(base):
            continue
        folder = base / name
        try:
            folder.mkdir(exist_ok=True)
        except OSError:
            continue
        if os.access(folder / "cgroup.procs", os.W_OK) and os.access(base / "cgroup.procs", os.W_OK):
            return folder
        folder.rmdir()
    return None


def _hands_down_memory(base: Path) -> bool:
    try:
        handed = (base / "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False
    return {"memory", "pids"} <= set(handed)
