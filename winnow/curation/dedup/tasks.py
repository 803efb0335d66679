"""Independent tasks on all cores, their results in order."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from winnow.core.errors import RunError
from winnow.core.runner import INLINE_ROWS, close_pool, shared_pool

Result = TypeVar("Result")


class Task(NamedTuple, Generic[Result]):
    """A picklable call, and how many rows it works on."""

    call: Callable[..., Result]
    args: tuple[Any, ...]
    rows: int


def in_order(
    tasks: Iterator[Task[Result]], workers: int, executor: Executor | None = None
) -> Iterator[Result]:
    """The result of each task, in order, with few tasks ahead; small work is done in this process.

    Runs on `executor`, or on the shared pool of the process. Raises RunError when a worker is killed.
    """
    head: list[Task[Result]] = []
    rows = 0
    for task in tasks:
        head.append(task)
        rows += task.rows
        if rows > INLINE_ROWS:
            break
    if rows <= INLINE_ROWS or (workers == 1 and executor is None):
        for task in chain(head, tasks):
            yield task.call(*task.args)
        return
    window: deque[Future[Result]] = deque()
    try:
        for task in chain(head, tasks):
            pool = executor or shared_pool(workers)
            window.append(pool.submit(task.call, *task.args))
            if len(window) > workers + 1:
                yield window.popleft().result()
        while window:
            yield window.popleft().result()
    except BrokenExecutor as error:
        if executor is None:
            close_pool()
        raise RunError(
            "a worker that looks for duplicates was killed, most often for want of memory; "
            "set WINNOW_WORKERS lower and run again"
        ) from error
    finally:
        for future in window:
            future.cancel()
