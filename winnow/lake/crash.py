"""Places where tests kill the process, to prove that any moment may be the last."""

import os
import signal
from collections import Counter
from pathlib import Path

POINTS = (
    "candidate-written",
    "copied",
    "verdicts-committed",
    "counts-committed",
    "before-layer-commit",
    "layer-committed",
)
_reached: Counter[str] = Counter()


def reach(point: str) -> None:
    """Kills this process when `WINNOW_CRASH_AT` is `<point>:<n>` and this is the n-th time it gets here.

    Times are counted in this process, or over all that share the folder `WINNOW_CRASH_DIR`.
    """
    assert point in POINTS
    wanted = os.environ.get("WINNOW_CRASH_AT")
    if not wanted:
        return
    name, _, times = wanted.partition(":")
    if name == point and _count(point) == int(times or 1):
        os.kill(os.getpid(), signal.SIGKILL)


def _count(point: str) -> int:
    shared = os.environ.get("WINNOW_CRASH_DIR")
    if not shared:
        _reached[point] += 1
        return _reached[point]
    with (Path(shared) / point).open("ab") as file:
        file.write(b".")
        file.flush()
        return file.tell()
