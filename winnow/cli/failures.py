"""What a person sees when a command fails: one line, and for a bug a log that holds no data."""

import datetime
import os
import sys
from pathlib import Path

from winnow.cli.environment import cache_dir
from winnow.core.call_stack import stacks, struck
from winnow.core.errors import WinnowError

BROKEN_PIPE = 141


def report_error(error: WinnowError) -> int:
    """Prints `error: …` on stderr; only a report of several faults has more than one line."""
    print(f"error: {error}", file=sys.stderr)
    return 1


def gone_file(error: BaseException) -> str | None:
    """What to say of a file of the lake that is named but not there; None for any other error.

    The messages of these errors hold a path and no data.
    """
    from_duckdb = type(error).__name__ == "IOException" and "duckdb" in type(error).__module__
    if not from_duckdb and not isinstance(error, FileNotFoundError):
        return None
    said = str(error).strip().partition("\n")[0].rstrip(".")
    return f"{said}. A file that the lake names is gone: restore it; `winnow hash` tells which table it is of"


def report_internal_error(error: BaseException) -> int:
    """Prints where the bug struck and names the log that has the call stack.

    Neither shows the exception's own message: libraries quote the value they choked on, and a value may be a
    secret out of a row. `WINNOW_DEBUG=1` shows everything on the terminal instead.
    """
    head = f"internal error: {struck(error)}"
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
