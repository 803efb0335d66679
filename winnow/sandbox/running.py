"""One box while it runs: its pipes, its limits, its end."""

import fcntl
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from winnow.core.errors import RunError
from winnow.sandbox import command, reaper, tree
from winnow.sandbox.closed import Shown, mounted
from winnow.sandbox.groups import OWN_PROCESSES
from winnow.sandbox.interpreter import Interpreter
from winnow.sandbox.result import Limits, Outcome, Result
from winnow.sandbox.slots import Slot
from winnow.sandbox.syscalls import refusals

# The supervisor's step; where control groups hold memory and processes a look finds only time and output.
SUPERVISED, GROUPED = 0.02, 0.05
_HIGH = 200


class Running:
    """A started box. `stdin`, `stdout` and `stderr` are our ends of its pipes; whoever starts it must `end` it."""

    def __init__(
        self,
        slot: Slot,
        python: Interpreter,
        read_only: Sequence[Shown],
        words: Sequence[str],
        files: Mapping[str, bytes],
        limits: Limits,
    ) -> None:
        self.slot, self.limits = slot, limits
        self.step = GROUPED if slot.groups.version else SUPERVISED
        self.broken: str | None = None
        self.closed = False
        self._seen = tree.Usage(0, 0.0, 0)
        slot.groups.begin(limits.memory_bytes, limits.processes)
        tasks = 0 if slot.as_root else tree.tasks_of(slot.uid)
        self.started = time.monotonic()
        (stdin, self.stdin), (self.stdout, stdout) = os.pipe(), os.pipe()
        (self.stderr, stderr), (self._status, status) = os.pipe(), os.pipe()
        contents = {name: _in_memory(content) for name, content in files.items()}
        argv = mounted(read_only) + command.enter(slot, limits, tasks)
        refused = refusals()
        filtering = _in_memory(refused) if refused else None
        argv += command.bubblewrap(python, read_only, limits, contents, status, filtering) + list(words)
        kept = [status, *contents.values(), *([] if filtering is None else [filtering])]
        self._ended = False
        self._looked = self.started
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=command.environment(python),
                pass_fds=kept,
                start_new_session=True,
                cwd="/",
            )
        except OSError as error:
            for descriptor in (self.stdin, self.stdout, self.stderr, self._status):
                os.close(descriptor)
            raise RunError(f"a box could not be started: {error}") from None
        finally:
            for descriptor in (stdin, stdout, stderr, *kept):
                os.close(descriptor)
        self.pid = self._process.pid
        self.pidfd = os.pidfd_open(self.pid)
        slot.tell(self.pid)

    @property
    def seconds_left(self) -> float:
        return self.started + self.limits.wall_seconds - time.monotonic()

    def look(self) -> None:
        """Kills the box if it is beyond a limit; looks at what it uses at most every `step` seconds."""
        groups, now = self.slot.groups, time.monotonic()
        if self.seconds_left <= 0:
            self.kill("wall_seconds")
        if now < self._looked + self.step:
            return
        self._looked = now
        if groups.version and groups.killed_for_memory():
            self.kill("memory_bytes")
        elif self._cpu_seconds() >= self.limits.cpu_seconds:
            self.kill("cpu_seconds")
        elif not groups.version and self._seen.memory_bytes > self.limits.memory_bytes:
            self.kill("memory_bytes")
        elif not groups.holds_processes and self._seen.processes > self.limits.processes + OWN_PROCESSES:
            self.kill("processes")

    def _cpu_seconds(self) -> float:
        counted = self.slot.groups.cpu_seconds()
        if counted is None or not self.slot.groups.version:
            now = tree.usage(self.pid, command.TMP)
            self._seen = tree.Usage(
                max(now.memory_bytes, self._seen.memory_bytes),
                max(now.cpu_seconds, self._seen.cpu_seconds),
                max(now.processes, self._seen.processes),
            )
            counted = self._seen.cpu_seconds
        return counted

    def kill(self, limit: str) -> None:
        """Ends the box; the first limit named is the reason of its result."""
        self.broken = self.broken or limit
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def wait(self, seconds: float) -> None:
        """Returns when the box has ended, or after `seconds`."""
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        poll.poll(1000 * seconds)

    def close_reason(self) -> None:
        """Marks the box as closed by its owner, unless it has ended."""
        if os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            self.closed = True

    def abandon(self) -> None:
        """Ends the box where that was not done, as when its owner was interrupted."""
        if not self._ended:
            self.end()

    def end(self, stdout: bytes = b"", stderr: bytes = b"") -> Result:
        """Kills what still runs, frees everything but the slot, and says what happened. Once only."""
        self._ended = True
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        _, self._process.returncode, used = os.wait4(self.pid, 0)
        wall = time.monotonic() - self.started
        words = _status_words(self._status)
        clean = reaper.reap(words.get("child-pid"), self.pid) and self.slot.clean()
        self.slot.tell(0)
        for descriptor in (self.stdin, self.stdout, self.stderr, self._status, self.pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        groups = self.slot.groups
        cpu = groups.cpu_seconds()
        cpu = max(used.ru_utime + used.ru_stime, self._seen.cpu_seconds) if cpu is None else cpu
        peak = groups.peak() if groups.version else self._seen.memory_bytes
        code = words.get("exit-code")
        outcome, reason = self._judged(code, cpu, stderr) if clean else ("sandbox", "a process resists")
        return Result(outcome, reason, code, stdout, stderr, wall, cpu, peak, groups.memory_by)

    def _judged(self, code: int | None, cpu: float, stderr: bytes) -> tuple[Outcome, str]:
        if self.broken:
            return "limit", self.broken
        if self.slot.groups.version and self.slot.groups.killed_for_memory():
            return "limit", "memory_bytes"
        if self.closed:
            return "signalled", "closed"
        if code is None:
            said = stderr.decode(errors="replace").strip().splitlines()
            return "sandbox", said[-1] if said else "the box ended without a word"
        died = code - 128
        if died == signal.SIGXCPU or (died == signal.SIGKILL and cpu >= self.limits.cpu_seconds):
            return "limit", "cpu_seconds"
        if died == signal.SIGXFSZ:
            return "limit", "file_bytes"
        most = self.limits.processes + OWN_PROCESSES
        if code and (self.slot.groups.refused_processes() or self._seen.processes >= most):
            return "limit", "processes"
        return ("signalled", f"signal {died}") if died > 0 else ("exited", f"exit {code}")


def _in_memory(content: bytes) -> int:
    """A descriptor of a file that holds `content`, of a number that leaves the low ones to bubblewrap."""
    with os.fdopen(os.memfd_create("file"), "wb") as file:
        file.write(content)
        file.flush()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return fcntl.fcntl(file.fileno(), fcntl.F_DUPFD_CLOEXEC, _HIGH)


def _status_words(descriptor: int) -> dict[str, int]:
    """What bubblewrap says of the box: `child-pid` once it stands, `exit-code` once the program has ended."""
    words: dict[str, int] = {}
    os.set_blocking(descriptor, False)
    with suppress(BlockingIOError, ValueError):
        for line in os.read(descriptor, 65536).splitlines():
            words = json.loads(line) | words
    return words
