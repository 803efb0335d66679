"""Asks boxes to run functions. What comes back is a stranger's word: looked at, and never waited for without end."""

import json
import os
import secrets
import select
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from winnow.core.config import ConfigModel
from winnow.core.errors import RunError
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.doctests import Outcome, Output, judge
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.guest import MAX_ANSWER, PATIENCE
from winnow.curation.preference.trials import GUEST, Run, State
from winnow.sandbox import Box, Limits, Sandbox
from winnow.sandbox.command import TMP

IMPORT_SECONDS = 180.0
"""Wall time in which a module has to be imported."""
SLACK_SECONDS = 30.0
"""Wall time for what a box does around a run."""
_ONE_THREAD = ("OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "POLARS_MAX_THREADS=1")


class _Printed(ConfigModel):
    printed: str
    raised: str | None


class _Answer(ConfigModel):
    id: int
    state: State
    outputs: tuple[_Printed, ...] = Field(default=())


class Runner:
    """Asks one box after the other, all under one hash seed; a context manager.

    A box that ended, or said anything unasked, is replaced. `questions` is how many it may be asked, which gives
    its limits of time. A module that does not import is not imported again.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        config: PreferenceConfig,
        packages: Sequence[Path],
        hash_seed: int,
        questions: int,
    ) -> None:
        self._sandbox, self._config = sandbox, config
        variables = ("LANG=C.UTF-8", f"PYTHONHASHSEED={hash_seed}", *_ONE_THREAD)
        python = ("python", "-s", "-S", "-P", "guest.py", TMP, *map(str, packages))
        self._command = ["/usr/bin/env", *variables, *python]
        seconds = questions * (IMPORT_SECONDS + self._run_seconds)
        self._limits = Limits(
            wall_seconds=seconds,
            cpu_seconds=int(seconds),
            memory_bytes=config.memory_bytes,
            processes=64,
            open_files=256,
        )
        self._open = ExitStack()
        self._box: Box | None = None
        self._imported: set[str] = set()
        self._not_importable: set[str] = set()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def _run_seconds(self) -> float:
        return PATIENCE * self._config.example_seconds + SLACK_SECONDS

    def ask(self, function: DocumentedFunction, text: str) -> Run:
        """Runs a text in the place of a function. Raises RunError where the sandbox itself failed.

        A box may end of what it was asked before, so a question that it leaves open is put to a fresh one.
        """
        while True:
            is_fresh = self._box is None
            run = self._run(function, text, is_fresh)
            if run is not None or is_fresh:
                return run or Run("box", Outcome(False))

    def _run(self, function: DocumentedFunction, text: str, is_fresh: bool) -> Run | None:
        """None where the box left the question open."""
        module = {"module": function.module}
        if function.module not in self._imported | self._not_importable:
            imported = self._answer(module, IMPORT_SECONDS)
            if imported is None and not is_fresh:
                return None
            is_there = imported is not None and imported.state == "ok"
            (self._imported if is_there else self._not_importable).add(function.module)
        if function.module in self._not_importable:
            return Run("import", Outcome(False))
        call = {
            "qualname": function.qualname,
            "text": text,
            "examples": [example.source for example in function.examples],
            "seconds": self._config.example_seconds,
        }
        answer = self._answer(module | call, self._run_seconds)
        if answer is None:
            return None
        outputs = [Output(said.printed, said.raised) for said in answer.outputs]
        return Run(answer.state, judge(function.examples, outputs))

    def _answer(self, request: dict[str, Any], seconds: float) -> _Answer | None:
        """What the box answers to this request; None where it ended, said something else, or was too slow."""
        if self._box is None:
            files = {"guest.py": GUEST.read_bytes()}
            self._box = self._open.enter_context(self._sandbox.open(self._command, files, self._limits))
        number = secrets.randbits(62)
        line = json.dumps({"id": number, **request}).encode() + b"\n"
        try:
            answer = _Answer.model_validate_json(_exchange(self._box, line, time.monotonic() + seconds))
        except ValidationError:
            answer = None
        if answer is not None and answer.id == number:
            return answer
        self._end()
        return None

    def _end(self) -> None:
        box, self._box = self._box, None
        self._imported.clear()
        if box is None:
            return
        result = box.close()
        self._open.close()
        if result.outcome == "sandbox":
            raise RunError(f"the sandbox did not run a function: {result.reason}; run `winnow doctor`")


def _exchange(box: Box, request: bytes, deadline: float) -> bytes:
    """The answer of the box, one line or more; empty where none came in time."""
    os.set_blocking(box.stdin.fileno(), False)
    poll = select.poll()
    poll.register(box.stdin, select.POLLOUT)
    view = memoryview(request)
    try:
        while view:
            if not poll.poll(_milliseconds(deadline)):
                return b""
            view = view[box.stdin.write(view) or 0 :]
    except BrokenPipeError:
        return b""
    answer = bytearray()
    while not answer.endswith(b"\n"):
        if not _readable(box, _milliseconds(deadline)):
            return b""
        read = box.stdout.read(1 << 16)
        if not read or len(answer) > MAX_ANSWER:
            return b""
        answer += read
    return bytes(answer)


def _readable(box: Box, milliseconds: int) -> bool:
    """Whether it says something, or has ended."""
    poll = select.poll()
    poll.register(box.stdout, select.POLLIN)
    return bool(poll.poll(milliseconds))


def _milliseconds(deadline: float) -> int:
    return max(0, int(1000 * (deadline - time.monotonic())))
