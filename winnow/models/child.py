"""What every child process that holds a model needs: no network, fixed threads, and events to its parent."""

import json
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

from winnow.core.errors import RunError, WinnowError

OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    # Which threads sum what must not depend on how busy the machine is
    "OMP_DYNAMIC": "FALSE",
    "MKL_DYNAMIC": "FALSE",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TRL_EXPERIMENTAL_SILENCE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Threads that spin while they wait slow each other down by ten on a busy machine
    "OMP_WAIT_POLICY": "PASSIVE",
    # cuBLAS is deterministic only with a fixed workspace
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
}


def prepare_process(threads: int | None = None, seed: int | None = None) -> None:
    """Offline libraries, deterministic operators, `threads` threads, seeded generators.

    Call it before transformers is imported: its libraries read the environment once.
    """
    os.environ.update(OFFLINE)
    # TRL calls what transformers has deprecated; none of it is ours to change
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    if threads:
        os.environ["OMP_NUM_THREADS"] = str(threads)
    import torch

    if threads:
        torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    if seed is not None:
        import random

        import numpy as np

        random.seed(seed)
        np.random.seed(seed % 2**32)
        torch.manual_seed(seed)


_POLL_SECONDS = 0.5


class Events:
    """Sends events to the parent: JSON lines on stdout and, under Dagster Pipes, to its run.

    An event is a mapping with the key `event`; with `message` it is a log line of the run too.
    """

    def __init__(self, out: TextIO, pipes: Any = None) -> None:
        self._out, self._pipes = out, pipes

    def send(self, event: str, **values: Any) -> None:
        line = json.dumps({"event": event, **values}, allow_nan=False)
        if self._pipes is not None:
            self._pipes.report_custom_message({"event": event, **values})
            line = values.get("message", "")
            if line:
                self._pipes.log.info(line)
        if line:
            self._out.write(line + "\n")
            self._out.flush()


@contextmanager
def open_events() -> Iterator[Events]:
    """Events on the real stdout, which from here on only they use: what libraries print goes to stderr."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if "DAGSTER_PIPES_CONTEXT" not in os.environ or find_spec("dagster_pipes") is None:
        with own:
            yield Events(own)
        return
    from dagster_pipes import open_dagster_pipes

    with own, open_dagster_pipes() as pipes:
        yield Events(own, pipes)


def run_program(work: Callable[[Mapping[str, Any], Events], object]) -> None:
    """Body of a child program `PROGRAM JOB.json`: reads the job, works, exits with 2 on a WinnowError.

    The error's message is left beside the job too: under Dagster Pipes the parent sees no more than the exit code.
    The child ends with a parent that was killed, so that the next run finds nobody else in its folder.
    """
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m {Path(sys.argv[0]).stem} JOB.json")
    threading.Thread(target=_end_with_parent, args=[os.getppid()], daemon=True).start()
    job = Path(sys.argv[1])
    error_file(job).unlink(missing_ok=True)
    with open_events() as events:
        try:
            work(json.loads(job.read_text(encoding="utf-8")), events)
        except WinnowError as error:
            error_file(job).write_text(str(error), encoding="utf-8")
            events.send("error", message=str(error), kind=type(error).__name__)
            sys.stderr.write(f"{error}\n")
            failed = True
        else:
            failed = False
    if failed:
        sys.exit(2)


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os._exit(1)


def error_file(job: Path) -> Path:
    """Where a child leaves the message of the WinnowError that ended it."""
    return job.with_suffix(".error")


def run_child(module: str, job: Path, on_event: Callable[[Mapping[str, Any]], None] | None = None) -> None:
    """Runs `python -m module job` and hands each of its events on.

    Raises RunError with the child's own message, or with the signal that ended it.
    """
    command = [sys.executable, "-m", module, str(job)]
    message = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **OFFLINE}) as child:
        for line in child.stdout or ():
            event = json.loads(line)
            message = event["message"] if event["event"] == "error" else message
            if on_event is not None:
                on_event(event)
    if child.returncode:
        how = (
            f"was ended by signal {-child.returncode}" if child.returncode < 0 else f"exit {child.returncode}"
        )
        raise RunError(message or f"{module} {how}; run it again, it goes on from its last checkpoint.")


def write_json(path: Path, value: Any) -> None:
    """Writes JSON with sorted keys at once: a reader sees the old file or the whole new one."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    with scratch.open("w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, sort_keys=True, allow_nan=False, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
