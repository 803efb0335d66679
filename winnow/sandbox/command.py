"""The command line that starts a box: a shell that enters the groups and sets limits, setpriv, bubblewrap.

The order is the point: the uid is dropped first, so that the kernel counts the box's processes against the
slot's own uid and nothing in the box was ever root; bubblewrap then makes namespaces as that uid.
"""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from winnow.sandbox.closed import Shown
from winnow.sandbox.groups import OWN_PROCESSES
from winnow.sandbox.interpreter import Interpreter
from winnow.sandbox.result import Limits
from winnow.sandbox.slots import Slot

TMP = "/tmp"  # noqa: S108 as the box sees it
WORK = f"{TMP}/box"
_DEVICES = ("null", "zero", "full", "random", "urandom")
# dash and busybox call the limit on processes -p; bash calls it -u and refuses -p.
_ENTER = """
nproc=$1 cpu=$2 blocks=$3 files=$4 groups=$5
shift 5
while [ "$groups" -gt 0 ]; do echo 0 >"$1" || exit 1; shift; groups=$((groups - 1)); done
ulimit -c 0 && ulimit -f "$blocks" && ulimit -t "$cpu" && ulimit -n "$files" || exit 1
ulimit -p "$nproc" 2>/dev/null || ulimit -u "$nproc" || exit 1
exec "$@"
"""


@cache
def tool(name: str) -> str:
    """Where a program of the host lies."""
    found = shutil.which(name)
    assert found, f"{name} was there when the sandbox was opened"
    return found


def environment(python: Interpreter) -> dict[str, str]:
    """All that a program sees of an environment."""
    folders = [str(Path(python.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(folders)),
        "HOME": WORK,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def enter(slot: Slot, limits: Limits, tasks_now: int) -> list[str]:
    """The part before bubblewrap. The kernel counts processes by uid: an ordinary user's others add to it."""
    processes = tasks_now + limits.processes + OWN_PROCESSES
    if slot.groups.holds_processes:
        processes += 8  # a second line: the group refuses first, and counts that it did
    blocks = max(limits.file_bytes // 512, 1)
    joins = [str(path) for path in slot.groups.joins]
    numbers = (processes, limits.cpu_seconds + 1, blocks, limits.open_files, len(joins))
    drop = [
        tool("setpriv"),
        "--reuid",
        str(slot.uid),
        "--regid",
        str(slot.uid),
        "--clear-groups",
        "--no-new-privs",
    ]
    shell = [tool("sh"), "-c", _ENTER, "winnow-box"]
    return [*shell, *map(str, numbers), *joins, *(drop if slot.as_root else ())]


def bubblewrap(
    python: Interpreter,
    read_only: Sequence[Shown],
    limits: Limits,
    files: Mapping[str, int],
    status_fd: int,
    refusals_fd: int | None,
) -> list[str]:
    """What bubblewrap is told: nothing of the host but what is named. `files` are open descriptors by path."""
    words = [tool("bwrap"), "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    words += ["--new-session", "--die-with-parent", "--json-status-fd", str(status_fd)]
    if refusals_fd is not None:
        words += ["--seccomp", str(refusals_fd)]
    words += ["--ro-bind", "/usr", "/usr"]
    for folder in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(folder):
            words += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            words += ["--ro-bind", folder, folder]
    if os.path.exists("/etc/ld.so.cache"):
        words += ["--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for device in _DEVICES:
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    words += ["--symlink", "../tmp", "/dev/shm"]  # noqa: S108
    words += ["--perms", "1777", "--size", str(limits.tmp_bytes), "--tmpfs", TMP, "--dir", WORK]
    # After the box's own /tmp, which would else hide what lies below the host's.
    for host, inside in [*python.binds, *((each.host, str(each.path)) for each in read_only)]:
        words += ["--ro-bind", host, inside]
    words += _filled(files)
    return [*words, "--remount-ro", "/", "--chdir", WORK, "--"]


def _filled(files: Mapping[str, int]) -> Iterable[str]:
    for name, descriptor in files.items():
        yield from ("--perms", "0644", "--file", str(descriptor), f"{WORK}/{name}")
