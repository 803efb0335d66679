"""The sandbox: programs that nobody trusts, each in a box of its own, several at a time."""

import os
import queue
import selectors
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import TypeVar

from winnow.core.errors import ConfigError
from winnow.sandbox import machine
from winnow.sandbox.closed import shown
from winnow.sandbox.result import Job, Limits, Result
from winnow.sandbox.running import Running
from winnow.sandbox.slots import Slot

_CHUNK = 1 << 16
_proven: list[bool] = []  # whether a box has started in this process
Item = TypeVar("Item")
Made = TypeVar("Made")


class Sandbox:
    """A context manager that holds `slots` places for boxes; any thread may call it.

    `slots` is by default two a core, since a box waits for the kernel about as long as it computes; an ordinary
    user gets one, unless he may make control groups that count processes. `read_only` are further host paths that
    a box sees at the same place. Raises SandboxUnavailable where no box can start, with the remedy.
    """

    def __init__(self, slots: int | None = None, read_only: Sequence[Path] = ()) -> None:
        self._python = machine.python()
        self._read_only = [shown(Path(path), machine.as_root()) for path in read_only]
        first = Slot(machine.as_root())
        wanted = slots or 2 * len(os.sched_getaffinity(0))
        self.slots = wanted if first.as_root or first.groups.holds_processes else 1
        self._free: queue.LifoQueue[Slot | None] = queue.LifoQueue()
        for _ in range(self.slots - 1):
            self._free.put(None)  # made when first needed
        self._free.put(first)
        self.at_close: list[Callable[[], object]] = []
        # A box dies with the thread that started it (PR_SET_PDEATHSIG), so one that lasts starts them all.
        self._starter = ThreadPoolExecutor(1, "sandbox-starter")

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the slots back, once no box runs any more."""
        for _ in range(self.slots):
            slot = self._free.get()
            if slot is not None:
                slot.close()
        self.slots = 0
        for end in self.at_close:
            end()
        self._starter.shutdown()

    def run(
        self,
        command: Sequence[str],
        files: Mapping[str, bytes] = {},
        limits: Limits = Limits(),  # noqa: B008 frozen
        stdin: bytes = b"",
    ) -> Result:
        """Runs a command to its end, with `files` in its work folder, and says what came of it.

        `python` as first word is the interpreter of the boxes; with `-I` it ignores the fixed PYTHONHASHSEED.
        Waits for a free slot.
        """
        with self._started(command, files, limits) as running:
            return running.end(*_served(running, stdin))

    def run_many(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of a batch in the order of the jobs, which are read as slots come free."""
        yield from in_order(
            lambda job: self.run(job.command, job.files, job.limits, job.stdin), jobs, self.slots
        )

    @contextmanager
    def open(
        self,
        command: Sequence[str],
        files: Mapping[str, bytes] = {},
        limits: Limits = Limits(),  # noqa: B008
    ) -> Iterator["Box"]:
        """A box to talk to while it runs; it is closed at the end of the block."""
        with self._started(command, files, limits) as running:
            box = Box(running)
            try:
                yield box
            finally:
                box.close()

    def start(
        self, slot: Slot, command: Sequence[str], files: Mapping[str, bytes], limits: Limits
    ) -> Running:
        """A box in a slot that the caller holds; he must `end` it."""
        words = [self._python.executable if command[0] == "python" else command[0], *command[1:]]
        begin = self._starter.submit(Running, slot, self._python, self._read_only, words, files, limits)
        return begin.result()

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """A free slot, given back at the end of the block; waits for one."""
        slot = self._free.get()
        try:
            slot = slot or Slot(machine.as_root())
            yield slot
        finally:
            self._free.put(slot)

    @contextmanager
    def _started(
        self, command: Sequence[str], files: Mapping[str, bytes], limits: Limits
    ) -> Iterator[Running]:
        _check(files, limits)
        with self.slot() as slot:
            running = self.start(slot, command, files, limits)
            try:
                yield running
            finally:
                running.abandon()


class Box:
    """A running box. `stdin` and `stdout` are raw, unbuffered pipes; how much to read is up to the reader."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self.stdin = os.fdopen(os.dup(running.stdin), "wb", buffering=0)
        self.stdout = os.fdopen(os.dup(running.stdout), "rb", buffering=0)
        os.close(running.stdin)
        running.stdin = -1
        self._errors = bytearray()
        self._closing = os.eventfd(0, os.EFD_CLOEXEC)
        self._watcher = threading.Thread(target=self._watch, name="sandbox-watch", daemon=True)
        self._watcher.start()
        self._result: Result | None = None

    def close(self) -> Result:
        """Ends the program if it still runs; the same result each time."""
        if self._result is None:
            with suppress(OSError):
                self.stdin.close()
            os.eventfd_write(self._closing, 1)
            self._watcher.join()
            self.stdout.close()
            os.close(self._closing)
            self._running.close_reason()
            self._result = self._running.end(b"", bytes(self._errors))
        return self._result

    def wait(self) -> None:
        """Returns when the program has ended, by itself or by a limit."""
        self._watcher.join()

    def _watch(self) -> None:
        running = self._running
        with selectors.DefaultSelector() as waiting:
            for descriptor in (running.stderr, running.pidfd, self._closing):
                waiting.register(descriptor, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in waiting.select(max(min(running.step, running.seconds_left), 0))}
                if running.stderr in ready and not self._read_errors():
                    waiting.unregister(running.stderr)
                if self._closing in ready or running.pidfd in ready:
                    return
                running.look()

    def _read_errors(self) -> bool:
        read = os.read(self._running.stderr, _CHUNK)
        self._errors += read[: self._running.limits.output_bytes - len(self._errors)]
        if len(self._errors) >= self._running.limits.output_bytes:
            self._running.kill("output_bytes")
        return bool(read)


def in_order(call: Callable[[Item], Made], items: Iterable[Item], workers: int) -> Iterator[Made]:
    """What `call` makes of each item, in the order of the items, `workers` at a time and little ahead."""
    with ThreadPoolExecutor(workers, "sandbox") as pool:
        waiting: deque[Future[Made]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(call, item))
                if len(waiting) > 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _check(files: Mapping[str, bytes], limits: Limits) -> None:
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
            raise ConfigError(f"file `{name}`: a path inside of the work folder is needed")
        if len(content) > limits.file_bytes:
            raise ConfigError(f"file `{name}`: {len(content)} bytes, `file_bytes` is {limits.file_bytes}")


def _served(running: Running, stdin: bytes) -> tuple[bytes, bytes]:
    """Feeds the box and reads what it says until it ends or a limit ends it: stdout and stderr."""
    streams = {running.stdout: bytearray(), running.stderr: bytearray()}
    left = memoryview(stdin)
    with selectors.DefaultSelector() as waiting:
        for descriptor in (*streams, running.stdin):
            os.set_blocking(descriptor, False)
        for descriptor in (*streams, running.pidfd):
            waiting.register(descriptor, selectors.EVENT_READ)
        waiting.register(running.stdin, selectors.EVENT_WRITE)
        while True:
            ready = {key.fd for key, _ in waiting.select(max(min(running.step, running.seconds_left), 0))}
            for descriptor in ready & streams.keys():
                if not _read(running, descriptor, streams):
                    waiting.unregister(descriptor)
            if running.stdin in ready:
                left = _fed(running.stdin, left)
                if not left:
                    waiting.unregister(running.stdin)
                    os.close(running.stdin)
                    running.stdin = -1
            if running.pidfd in ready:
                break
            running.look()
    for descriptor in streams:
        while _read(running, descriptor, streams):
            continue
    return bytes(streams[running.stdout]), bytes(streams[running.stderr])


def _read(running: Running, descriptor: int, streams: Mapping[int, bytearray]) -> bool:
    """Takes what a pipe holds, up to the limit on output; False where nothing more can come now."""
    try:
        read = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return False
    room = running.limits.output_bytes - sum(map(len, streams.values()))
    streams[descriptor].extend(read[:room])
    if len(read) > room:
        running.kill("output_bytes")
        return False
    return bool(read)


def _fed(descriptor: int, left: memoryview) -> memoryview:
    """What is still to be written; nothing where the program has closed its end."""
    try:
        return left[os.write(descriptor, left[:_CHUNK]) :]
    except BlockingIOError:
        return left
    except BrokenPipeError:
        return memoryview(b"")


def unavailable() -> str | None:
    """None where boxes start, else the remedy in one line; the first time it is tried with an empty Python."""
    remedy = machine.missing()
    if remedy or _proven:
        return remedy
    with Sandbox(slots=1) as sandbox:
        result = sandbox.run(["python", "-I", "-S", "-c", "pass"])
    if result.ok:
        _proven.append(True)
        return None
    return machine.remedy_of(f"{result.outcome}, {result.reason}")
