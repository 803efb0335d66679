"""Deep data that a recursive parser takes or refuses alike, whoever calls it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def on_empty_stack(call: Callable[[], T]) -> T:
    """What `call` returns; where the stack of the caller leaves too little room, it is called again on a new one.

    Python counts the frames of the caller against the depth of what it parses, so a worker process took
    expressions that the process of a Dagster step refused. Raises RecursionError where an empty stack is too
    small as well.
    """
    try:
        return call()
    except RecursionError:
        with ThreadPoolExecutor(1) as fresh:
            return fresh.submit(call).result()
