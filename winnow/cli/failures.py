"""What a person sees when a command fails: one line, and for a bug a log that holds no data."""

import datetime
import os
import sys
import traceback
from pathlib import Path

from winnow.cli.environment import cache_dir
from winnow.core.errors import WinnowError

BROKEN_PIPE = 141


def report_error(error: WinnowError) -> int:
    """Prints `error: …` on stderr; only a report of several faults has more than one line."""
    print(f"error: {error}", file=sys.stderr)
    return 1


def report_internal_error(error: BaseException) -> int:
    """Prints where the bug struck and names the log that has the call stack.

    Neither shows the exception's own message: libraries quote the value they choked on, and a value may be a
    secret out of a row. `WINNOW_DEBUG=1` shows everything on the terminal instead.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    head = f"internal error: {type(error).__name__}{place}"
    try:
        log = _write_log(error)
    except OSError as failure:
        print(f"{head}; no log written ({failure.strerror}); WINNOW_DEBUG=1 shows details", file=sys.stderr)
    else:
        print(f"{head}; details in {log}", file=sys.stderr)
    return 1


def _write_log(error: BaseException) -> Path:
    directory = cache_dir() / "logs"
    directory.mkdir(mode=0o700, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    path = directory / f"error-{now:%Y%m%dT%H%M%S%f}-{os.getpid()}.log"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as log:
        log.write(stacks(error))
    return path


def stacks(error: BaseException) -> str:
    """The call stacks of an exception and of those that led to it, innermost cause first, without values."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    parts = []
    for link in reversed(chain):
        frames = "".join(traceback.format_list(traceback.extract_tb(link.__traceback__)))
        parts.append(f"{type(link).__module__}.{type(link).__qualname__}\n{frames}")
    return "\nled to\n\n".join(parts)
