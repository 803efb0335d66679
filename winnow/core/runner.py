"""Streams batches through a stage on all cores: in order, in bounded memory, the same for any number of workers."""

import atexit
import multiprocessing
import os
import pickle
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from winnow.core.errors import ConfigError, DataError, RunError
from winnow.core.stage import Stage, StageOutput

MAX_BATCH_BYTES = 4 << 20
INLINE_ROWS = 600
"""A partition of up to so many rows is done in the calling process: starting workers would cost more."""

_PRELOAD = ["numpy", "pyarrow", "pyarrow.compute", "xxhash", "regex", "winnow.core.runner"]
_stages: dict[str, Stage] = {}
_pool: tuple[int, ProcessPoolExecutor] | None = None


class Judged(NamedTuple):
    """An input batch and what the stage made of it."""

    batch: pa.RecordBatch
    output: StageOutput


def worker_count(asked: int | None = None) -> int:
    """`asked`, else WINNOW_WORKERS, else one a core."""
    value = asked if asked is not None else os.environ.get("WINNOW_WORKERS") or len(os.sched_getaffinity(0))
    try:
        workers = int(value)
    except ValueError:
        raise ConfigError(f"WINNOW_WORKERS is {value!r}; set it to a whole number of at least 1") from None
    if workers < 1:
        raise ConfigError(f"WINNOW_WORKERS is {workers}; set it to a whole number of at least 1")
    return workers


def shared_pool(workers: int) -> ProcessPoolExecutor:
    """The pool of this process, started on first use and kept for the next stage."""
    global _pool
    if _pool is None or _pool[0] != workers:
        close_pool()
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOAD)
        _pool = (workers, ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker))
    return _pool[1]


def close_pool() -> None:
    """Ends the workers; the next stage starts new ones."""
    global _pool
    if _pool is not None:
        _pool[1].shutdown(wait=False, cancel_futures=True)
        _pool = None


atexit.register(close_pool)


def bounded(batches: Iterable[pa.RecordBatch], max_bytes: int = MAX_BATCH_BYTES) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at most `max_bytes`, or of one row where a row is larger."""
    for batch in batches:
        if batch.num_rows > 1 and batch.get_total_buffer_size() > max_bytes and batch.nbytes > max_bytes:
            half = batch.num_rows // 2
            yield from bounded([batch.slice(0, half), batch.slice(half)], max_bytes)
        elif batch.num_rows:
            yield batch


def run_stage(
    stage: Stage,
    batches: Iterable[pa.RecordBatch],
    workers: int | None = None,
    scratch: Path | None = None,
) -> Iterator[Judged]:
    """Each batch with its output, in input order.

    `scratch` is a private folder through which the stage, which may hold a key, reaches the workers.

    Raises `DataError` when a stage loses or invents a row, `RunError` when a worker process is killed.
    """
    workers = worker_count(workers)
    source = bounded(batches)
    head: list[pa.RecordBatch] = []
    rows = 0
    for batch in source:
        head.append(batch)
        rows += batch.num_rows
        if rows > INLINE_ROWS:
            break
    judged: Iterator[Judged]
    if workers == 1 or rows <= INLINE_ROWS:
        judged = (Judged(b, stage.run(b)) for b in _chain(head, source))
    else:
        judged = _in_pool(stage, _chain(head, source), workers, scratch)
    for item in judged:
        _reconcile(stage, item)
        yield item


def _chain(head: list[pa.RecordBatch], rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    while head:
        yield head.pop(0)
    yield from rest


def _in_pool(
    stage: Stage, batches: Iterator[pa.RecordBatch], workers: int, scratch: Path | None
) -> Iterator[Judged]:
    pool = shared_pool(workers)
    # A stage may hold a benchmark index of many megabytes, so it goes once through a private file, not by task.
    with tempfile.TemporaryDirectory(prefix="winnow-stage-", dir=scratch) as folder:
        path = Path(folder) / f"{stage.name}.pickle"
        path.write_bytes(pickle.dumps(stage))
        window: deque[tuple[pa.RecordBatch, Future[bytes]]] = deque()
        try:
            for batch in batches:
                window.append((batch, pool.submit(_work, str(path), _to_ipc(batch))))
                if len(window) > workers + 1:
                    yield _result(window)
            while window:
                yield _result(window)
        except BrokenExecutor as error:
            close_pool()
            first, last = window[0][0]["row_id"][0], window[-1][0]["row_id"][-1]
            raise RunError(
                f"a worker of stage `{stage.name}` was killed between rows {first} and {last}, "
                "most often for want of memory; set WINNOW_WORKERS lower and run again"
            ) from error
        finally:
            for _, future in window:
                future.cancel()


def _result(window: deque[tuple[pa.RecordBatch, "Future[bytes]"]]) -> Judged:
    output: StageOutput = pickle.loads(window[0][1].result())  # noqa: S301 written by our own worker
    batch, _ = window.popleft()
    return Judged(batch, output)


def _reconcile(stage: Stage, item: Judged) -> None:
    decisions = item.output.verdicts["decision"].to_pylist()
    lost = sum(d in ("drop", "park") for d in decisions)
    if item.output.rows_in != item.batch.num_rows or item.output.kept.num_rows + lost != item.batch.num_rows:
        raise DataError(
            f"stage `{stage.name}` took {item.batch.num_rows} rows and returned {item.output.kept.num_rows} kept "
            f"and {lost} dropped or parked; a stage must account for every row (this is a bug of the stage)"
        )


def _to_ipc(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


def _start_worker() -> None:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    pa.set_cpu_count(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker waits for work for ever, even from a parent that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(path: str, ipc: bytes) -> bytes:
    if path not in _stages:
        _stages.clear()
        _stages[path] = pickle.loads(Path(path).read_bytes())  # noqa: S301 written by our own parent
    batch = pa.ipc.open_stream(ipc).read_next_batch()
    return pickle.dumps(_stages[path].run(batch))
