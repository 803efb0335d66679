"""The box of the tests: one that lasts, in which each set of tests gets a process of its own."""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from winnow.sandbox import machine, wire
from winnow.sandbox.box import Sandbox
from winnow.sandbox.channel import Broken, Channel
from winnow.sandbox.guests import script
from winnow.sandbox.result import Limits
from winnow.sandbox.slots import Slot

# Not -I, which would ignore the fixed PYTHONHASHSEED: a verdict must not hang on the order of a set.
COMMAND = ("python", "-s", "-S", "-P", "guest.pyc")
# Tests are the benchmark's, so only the time of each is limited, by the box of its program.
_LIMITS = Limits(wall_seconds=1e9, cpu_seconds=10**8, memory_bytes=1 << 30, processes=64)


class Referee:
    """A tests' box in a slot of its own. Whoever breaks off a trial has to `close` it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.slot = Slot(machine.as_root())
        self.running = sandbox.start(self.slot, COMMAND, {"guest.pyc": script("tests")}, _LIMITS)
        self.channel = Channel(self.running, [self.running], "tests")
        self.whole = True
        self._numbers = itertools.count(1)

    def try_program(
        self, program: Channel, helpers: str, tests: str, entry_point: str, cpu_seconds: int
    ) -> str:
        """How the tests end for the program behind a channel: "passed", or what went wrong.

        Raises Ended or Broken where a box ended or broke the protocol; then this referee is of no more use.
        """
        self.whole = False
        self.channel.watched = [self.running, *program.watched]
        number = next(self._numbers)
        self.channel.send(wire.TEST, number, wire.encode((helpers, tests, entry_point, cpu_seconds)))
        reason = ""
        while True:
            kind, asked, payload = self.channel.receive()
            if kind == wire.CALL and not reason:
                self.channel.send(*_answer(program, asked, payload))
            elif kind in (wire.PASSED, wire.FAILED) and asked == number and not reason:
                said = str(wire.decode(payload))
                reason = "passed" if kind == wire.PASSED else said
            elif kind == wire.OVER and asked == number:
                self.whole = True
                return reason or f"tests: ended with {wire.decode(payload)}"
            else:
                raise Broken("tests: their box spoke out of turn")

    def close(self) -> None:
        self.running.end()
        self.slot.close()


def _answer(program: Channel, asked: int, payload: bytes) -> tuple[int, int, bytes]:
    program.send(wire.CALL, asked, payload)
    kind, number, value = program.receive()
    if kind not in (wire.ANSWER, wire.RAISED) or number != asked or not value:
        raise Broken("failed: an answer to another question")
    return kind, number, value


class _Bench:
    """The referees of one sandbox that have nothing to do."""

    def __init__(self) -> None:
        self.idle: list[Referee] = []

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


_benches: WeakKeyDictionary[Sandbox, _Bench] = WeakKeyDictionary()
_lock = threading.Lock()


@contextmanager
def referee(sandbox: Sandbox) -> Iterator[Referee]:
    """A referee that nobody else has; it is kept for the next program unless a trial was broken off."""
    with _lock:
        if sandbox not in _benches:
            _benches[sandbox] = _Bench()
            sandbox.at_close.append(_benches[sandbox].close)
        bench = _benches[sandbox]
        found = bench.idle.pop() if bench.idle else None
    found = found or Referee(sandbox)
    try:
        yield found
    finally:
        if found.whole:
            bench.idle.append(found)
        else:
            found.close()
