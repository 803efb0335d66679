"""Makes this process the parent of what its boxes leave behind.

bubblewrap's outer process ends without waiting for the box's init, and in a container the machine's init may be
slow to reap it, or never do so: each run would leave a dead process that still counts against the slot's limit.
While a slot is held, such orphans come to us (PR_SET_CHILD_SUBREAPER) and `reap` waits for them; the kernel lets a
box's init end only after every process of the box, so that after `reap` nothing of the box is left.
"""

import ctypes
import os
import threading
import time
from contextlib import suppress

_PR_SET_CHILD_SUBREAPER = 36
_lock = threading.Lock()
_held = 0


def adopt() -> None:
    _count(+1)


def release() -> None:
    _count(-1)


def _count(change: int) -> None:
    global _held
    with _lock:
        _held += change
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(_held > 0), 0, 0, 0)


def reap(init: int | None, group: int, patience: float = 5.0) -> bool:
    """Waits for the init of a box and for what else its start left in `group`; False where that takes too long."""
    until = time.monotonic() + patience
    pause = 0.0002
    for who in (init, -group):
        with suppress(ChildProcessError):
            while who is not None and os.waitpid(who, os.WNOHANG)[0] == 0:
                if time.monotonic() > until:
                    return False
                time.sleep(pause)
                pause = min(2 * pause, 0.01)
    return True
