"""run_stage keeps order and accounts for every row, whatever the number of workers."""

import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import psutil
import pyarrow as pa
import pytest

from winnow.core.errors import ConfigError, DataError, RunError
from winnow.core.runner import bounded, run_stage, worker_count
from winnow.core.stage import StageOutput, Verdict, verdict_batch

SCHEMA = pa.schema([("row_id", pa.string()), ("source", pa.string()), ("n", pa.int64())])


def rows(start: int, stop: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [{"row_id": f"{i:032x}", "source": "s", "n": i} for i in range(start, stop)], schema=SCHEMA
    )


@dataclass
class DropOdd:
    """Drops odd numbers; `fault` makes it misbehave."""

    fault: str = ""
    name: str = "odd"
    code_version: str = "1"

    def identity(self) -> dict[str, str]:
        return {"fault": self.fault}

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        values = batch["n"].to_pylist()
        if self.fault == "kill" and 2000 in values:
            import os
            import signal

            os.kill(os.getpid(), signal.SIGKILL)
        keep = [i for i, n in enumerate(values) if n % 2 == 0]
        dropped = [i for i, n in enumerate(values) if n % 2]
        if self.fault == "lose":
            dropped = dropped[1:]
        ids = batch["row_id"].to_pylist()
        return StageOutput(
            rows_in=batch.num_rows,
            kept=batch.take(pa.array(keep, pa.int64())),
            verdicts=verdict_batch([Verdict(ids[i], "s", "drop", "odd") for i in dropped]),
        )


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_order_and_content_do_not_depend_on_workers(workers: int) -> None:
    batches = [rows(i, i + 100) for i in range(0, 3000, 100)]
    judged = list(run_stage(DropOdd(), batches, workers))
    kept = [n for item in judged for n in item.output.kept["n"].to_pylist()]
    dropped = [r for item in judged for r in item.output.verdicts["row_id"].to_pylist()]
    assert kept == list(range(0, 3000, 2))
    assert dropped == [f"{i:032x}" for i in range(1, 3000, 2)]


def test_a_lost_row_is_an_error() -> None:
    with pytest.raises(DataError, match="must account for every row"):
        list(run_stage(DropOdd("lose"), [rows(0, 10)], 1))


def test_a_killed_worker_is_one_line_with_a_remedy() -> None:
    batches = [rows(i, i + 100) for i in range(0, 3000, 100)]
    with pytest.raises(RunError, match="WINNOW_WORKERS lower"):
        list(run_stage(DropOdd("kill"), batches, 2))


def test_workers_end_with_a_parent_that_was_killed() -> None:
    """The pool's pids are printed by the parent before it kills itself."""
    code = (
        "import os, signal; from winnow.core.runner import shared_pool; pool = shared_pool(2); "
        "list(pool.map(abs, range(4))); print(*pool._processes, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    workers = [int(pid) for pid in done.stdout.split()]
    deadline = time.monotonic() + 20
    while any(map(psutil.pid_exists, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert workers
    assert [pid for pid in workers if psutil.pid_exists(pid)] == []


def test_bounded_splits_by_bytes_and_loses_nothing() -> None:
    batch = rows(0, 1000)
    parts = list(bounded([batch, rows(0, 0)], max_bytes=4096))
    assert len(parts) > 4
    assert pa.Table.from_batches(parts)["n"].to_pylist() == list(range(1000))


@pytest.mark.parametrize("value", ["0", "-1", "two"])
def test_worker_count_refuses_what_is_no_count(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_WORKERS", value)
    with pytest.raises(ConfigError, match="whole number of at least 1"):
        worker_count()
