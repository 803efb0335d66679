"""What the processes below one process use, read from /proc: the supervisor where no control group is ours."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Usage:
    memory_bytes: int
    cpu_seconds: float
    processes: int


def usage(root: int, files: str) -> Usage:
    """Memory (PSS, and what lies in the file system `files` of the box), CPU time, processes and threads.

    A process that has left, even to another session, was given to the box's own init, so it is still below.
    One that ends between two looks leaves its CPU time with whoever waited for it.
    """
    pids = _tree(root)
    cpu, threads, memory = 0.0, 0, 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
            fields = fields[fields.rindex(")") + 2 :]
            words = fields.split()
            cpu += sum(map(int, words[11:15])) / _TICKS
            threads += int(words[17])
            memory += _pss(pid)
    return Usage(memory + _held(pids, files), cpu, threads)


def _held(pids: list[int], files: str) -> int:
    """Bytes of the box's own file system, as one of its processes sees it; 0 while it is not mounted yet."""
    for pid in reversed(pids):
        with suppress(OSError):
            inside = f"/proc/{pid}/root{files}"
            if os.stat(inside).st_dev != os.stat(files).st_dev:
                held = os.statvfs(inside)
                return (held.f_blocks - held.f_bfree) * held.f_frsize
    return 0


def _tree(root: int) -> list[int]:
    pids = [root]
    for pid in pids:
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                text = Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="ascii")
                pids += [int(child) for child in text.split()]
    return pids


def _pss(pid: int) -> int:
    """Proportional memory; where the kernel hides it from us, the resident memory, which counts shared pages again."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except PermissionError:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def tasks_of(uid: int) -> int:
    """Processes and threads that a user has now, as far as /proc shows them."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
    return count
