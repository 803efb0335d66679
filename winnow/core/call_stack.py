"""Where an exception struck, without its message: libraries quote the value they choked on."""

import traceback
from pathlib import Path


def struck(error: BaseException) -> str:
    """The kind of an exception and the line it was raised at, e.g. `KeyError at table.py:12`."""
    frames = _frames(error)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def stacks(error: BaseException) -> str:
    """The call stacks of an exception and of those that led to it, innermost cause first, without values."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    parts = []
    for link in reversed(chain):
        frames = "".join(traceback.format_list(_frames(link)))
        parts.append(f"{type(link).__module__}.{type(link).__qualname__}\n{frames}")
    return "\nled to\n\n".join(parts)


def _frames(error: BaseException) -> traceback.StackSummary:
    # A limit of our own: the process may have set one for what it prints
    return traceback.extract_tb(error.__traceback__, limit=500)
