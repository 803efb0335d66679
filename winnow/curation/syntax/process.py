"""The reader's end of the child process: starts it, asks it, outlives it."""

import os
import select
import signal
import subprocess
import sys
import weakref
from array import array
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from winnow.core.errors import RunError
from winnow.curation.syntax.grammars import GRAMMARS, ORDER
from winnow.curation.syntax.regions import Problem
from winnow.curation.syntax.wire import OK, REPLY, REQUEST

_WALL_SECONDS = 20
"""The child ends itself after its CPU time. A stopped one is given so many times that long, and these seconds."""

_START = (
    "import sys; sys.path[:0] = sys.argv[3:]; "
    "from winnow.curation.syntax import child; child.serve(*map(int, sys.argv[1:3]))"
)


class Answer(NamedTuple):
    """CPU seconds taken; start, end and kind of each region in code points, one after the other; or a problem."""

    seconds: float
    found: "array[int]" = array("I")
    problem: Problem | None = None


class GrammarProcess:
    """One child process that parses, started at the first question and again after it died.

    A copy of this object in a forked process starts a child of its own.
    """

    def __init__(self, memory_bytes: int, max_depth: int) -> None:
        self._memory_bytes, self._max_depth = memory_bytes, max_depth
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._end: weakref.finalize | None = None  # type: ignore[type-arg]

    @property
    def pid(self) -> int | None:
        """The running child, if there is one."""
        return self._child.pid if self._child and self._owner == os.getpid() else None

    def ask(self, source: bytes, language: str, seconds: float) -> "Answer":
        """What the child makes of a text within so much CPU time.

        A child that dies is asked again once, as somebody else may have killed it; out of time is out of time.
        """
        answer = self._ask(source, language, seconds)
        return self._ask(source, language, seconds) if answer.problem == "crash" else answer

    def _ask(self, source: bytes, language: str, seconds: float) -> "Answer":
        child = self._running()
        assert child.stdin is not None
        assert child.stdout is not None
        request = REQUEST.pack(ORDER.index(language), seconds, self._max_depth, len(source))
        deadline = monotonic() + _WALL_SECONDS * (1 + seconds)
        try:
            _write(child.stdin.fileno(), request + source, deadline)
            status, spent, size = REPLY.unpack(_read(child.stdout.fileno(), REPLY.size, deadline))
            body = _read(child.stdout.fileno(), size, deadline)
        except (EOFError, BrokenPipeError):
            return Answer(seconds, problem="timeout" if self._reap() == -signal.SIGPROF else "crash")
        except TimeoutError:
            self.close()
            return Answer(seconds, problem="timeout")
        except BaseException:
            self.close()  # a reply that nobody took must not answer the next question
            raise
        found = array("I")
        found.frombytes(body)
        return Answer(spent, found, None if status == OK else "too-deep")

    def _reap(self) -> int:
        assert self._child is not None
        code = self._child.wait()
        self.close()
        return code

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._child is not None and self._owner == os.getpid():
            return self._child
        self.close()
        me = os.getpid()
        command = [
            sys.executable,
            "-I",
            "-S",
            "-c",
            _START,
            str(me),
            str(self._memory_bytes),
            *_import_paths(),
        ]
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError as error:
            raise RunError(
                f"the syntax reader's process did not start: {error.strerror}; free memory or processes"
            ) from error
        self._child, self._owner = child, me
        self._end = weakref.finalize(self, _finish, child, me)
        return child

    def close(self) -> None:
        """Ends the child; the next question starts another."""
        if self._end is not None:
            self._end()
        self._child = self._end = None


def _finish(child: "subprocess.Popen[bytes]", owner: int) -> None:
    for pipe in (child.stdin, child.stdout):
        assert pipe is not None
        pipe.close()
    if os.getpid() != owner:
        child.returncode = 0  # not ours to wait for: we are a fork of its parent
        return
    child.kill()
    child.wait()


def _import_paths() -> list[str]:
    """Folders from which the child imports: ours and those of the grammars.

    Raises RunError where a wheel is missing.
    """
    wheels = ["tree_sitter", *sorted({grammar.module for grammar in GRAMMARS.values()})]
    found = {wheel: find_spec(wheel) for wheel in wheels}
    if missing := [wheel.replace("_", "-") for wheel, spec in found.items() if spec is None]:
        raise RunError(f"{', '.join(missing)} not installed; run pip install {' '.join(missing)}")
    folders = [Path(__file__).parents[3]]
    folders += [Path(spec.origin).parents[1] for spec in found.values() if spec and spec.origin]
    return list(dict.fromkeys(map(str, folders)))


def _write(pipe: int, data: bytes, deadline: float) -> None:
    view = memoryview(data)
    os.set_blocking(pipe, False)
    while view:
        _wait(pipe, select.POLLOUT, deadline)
        view = view[os.write(pipe, view) :]


def _read(pipe: int, size: int, deadline: float) -> bytes:
    """`size` bytes. Raises EOFError where the pipe ends before."""
    parts = []
    while size:
        _wait(pipe, select.POLLIN, deadline)
        part = os.read(pipe, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _wait(pipe: int, event: int, deadline: float) -> None:
    poller = select.poll()
    poller.register(pipe, event)
    if not poller.poll(max(0, deadline - monotonic()) * 1000):
        raise TimeoutError
