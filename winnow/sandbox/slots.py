"""Slots: each is the place of one box at a time, with a uid, a lock, control groups and a watchdog of its own.

As root the uids are 1 900 000 000 to 1 900 000 999: above what containers and systemd allot, and nobody's; in a
container to which so high a uid is not mapped, 64 000 to 64 999. A lock file for each keeps two processes of a
machine from sharing one, since the kernel's limit on processes counts by uid. An ordinary user has only his own
uid, so his boxes run one at a time, unless a control group counts processes.
"""

import fcntl
import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from winnow.core.errors import RunError
from winnow.sandbox import reaper
from winnow.sandbox.groups import Groups

FIRST_UIDS, UIDS = (1_900_000_000, 64_000), 1000
_AS_ROOT = """
while read -r line; do :; done
setpriv --reuid "$1" --regid "$1" --clear-groups sh -c 'kill -9 -1' 2>/dev/null
shift
for tries in 1 2 3 4 5 6 7 8 9; do
  left=
  for folder; do [ ! -d "$folder" ] || rmdir "$folder" 2>/dev/null || left=1; done
  [ "$left" ] || exit 0
  for folder; do
    while read -r pid; do kill -9 "$pid"; done <"$folder/cgroup.procs"
  done 2>/dev/null
  sleep 0.05
done
"""
_AS_USER = """
last=0
while read -r line; do last=$line; done
[ "$last" = 0 ] || kill -9 -- "-$last" 2>/dev/null
shift
for folder; do rmdir "$folder"; done 2>/dev/null
"""


class Slot:
    """Held from construction to `close`. The watchdog ends what is left of the box even if we are killed."""

    def __init__(self, as_root: bool) -> None:
        self.as_root = as_root
        reaper.adopt()
        self.uid, self._lock = _locked_uid() if as_root else (os.geteuid(), -1)
        self.groups = Groups(f"winnow-{self.uid}" if as_root else f"winnow-{os.getpid()}-{id(self):x}")
        if as_root:
            kill_user(self.uid)
            self.groups.kill()
        self._watchdog = subprocess.Popen(
            ["sh", "-c", _AS_ROOT if as_root else _AS_USER, "winnow-watchdog", str(self.uid)]
            + [str(folder) for folder in self.groups.folders.values()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_bare(),
            # It holds the lock too: until it is done nobody else has the uid whose processes it kills.
            pass_fds=[self._lock] if as_root else [],
            start_new_session=True,
            bufsize=0,
        )

    def tell(self, process_group: int) -> None:
        """Lets the watchdog know what runs; 0 when nothing does."""
        assert self._watchdog.stdin is not None
        self._watchdog.stdin.write(f"{process_group}\n".encode())

    def clean(self) -> bool:
        """Ends whatever a box has left behind; False where something resists."""
        if self.groups.folders:
            return self.groups.kill()
        if self.as_root:
            kill_user(self.uid)
        return True

    def close(self) -> None:
        assert self._watchdog.stdin is not None
        with suppress(OSError):
            self._watchdog.stdin.close()
        self._watchdog.wait()
        reaper.release()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def kill_user(uid: int) -> None:
    """Kills every process of a slot's uid, as that uid: no process of anyone else can be hit."""
    assert any(first <= uid < first + UIDS for first in FIRST_UIDS)
    who = ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
    subprocess.run([*who, "sh", "-c", "kill -9 -1"], stderr=subprocess.DEVNULL, env=_bare(), check=False)


def _bare() -> dict[str, str]:
    """The environment of what runs beside a box, in part under its uid: no key of ours."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


def _locked_uid() -> tuple[int, int]:
    folder = lock_folder()
    first = first_uid(Path("/proc/self/uid_map").read_text(encoding="ascii"))
    for uid in range(first, first + UIDS):
        lock = os.open(folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        return uid, lock
    raise RunError(f"all {UIDS} uids of the sandbox are in use: stop other runs and try again")


def first_uid(uid_map: str) -> int:
    r"""The first uid of the slots, given which uids exist in this user namespace.

    >>> first_uid("0 0 4294967295")
    1900000000
    >>> first_uid("0 1000 1\n1 100000 65535")
    64000
    """
    spans = [tuple(map(int, line.split())) for line in uid_map.splitlines()]
    for first in FIRST_UIDS:
        if any(inside <= first and first + UIDS <= inside + count for inside, _, count in spans):
            return first
    raise RunError("no uids are free for boxes in this container: map at least 65,536, or do not run as root")


def lock_folder() -> Path:
    """A folder of root that others cannot write, for locks that a reboot may forget."""
    run = Path("/run")
    folder = (run if os.access(run, os.W_OK) else Path(tempfile.gettempdir())) / "winnow-sandbox"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.geteuid() or folder.is_symlink():
        raise RunError(f"{folder} belongs to someone else: remove it")
    return folder
