"""Frames between the parent and a box, with the limits looked at while it waits."""

import os
import select
from collections.abc import Sequence

from winnow.sandbox import wire
from winnow.sandbox.running import Running


class Ended(Exception):
    """The box ended, by itself or by a limit, before it said what was waited for."""


class Broken(Exception):
    """A box said something that is no frame, too much, or what nobody asked for; the message is the reason."""


class Channel:
    """Our end of a box's pipes. The boxes in `watched` are held to their limits while it waits.

    `blame` is how the reason begins where the box breaks the protocol.
    """

    def __init__(self, running: Running, watched: Sequence[Running], blame: str) -> None:
        self._running, self.watched, self._blame = running, watched, blame
        self._step = int(1000 * running.step)
        self._ended = False
        for descriptor in (running.stdin, running.stdout):
            os.set_blocking(descriptor, False)
        self._reading, self._writing = select.poll(), select.poll()
        for poll in (self._reading, self._writing):
            poll.register(running.pidfd, select.POLLIN)
        self._reading.register(running.stdout, select.POLLIN)
        self._writing.register(running.stdin, select.POLLOUT)

    def send(self, kind: int, number: int, payload: bytes = b"") -> None:
        """Raises Broken if the box has said anything unasked, Ended if it is gone."""
        if self._available():
            raise Broken(f"{self._blame}: an answer that nobody asked for")
        left = memoryview(wire.frame(kind, number, payload))
        while left:
            try:
                left = left[os.write(self._running.stdin, left) :]
            except BlockingIOError:
                self._wait(self._writing)
            except BrokenPipeError:
                raise Ended from None

    def receive(self) -> tuple[int, int, bytes]:
        """The next frame: kind, number, payload, which is one whole value or empty."""
        length, kind, number = wire.head(self._exactly(wire.HEAD))
        if length > 2 * wire.LARGEST:
            raise Broken(f"{self._blame}: an answer that is too large")
        payload = self._exactly(length)
        if payload:
            try:
                wire.scan(payload)
            except (wire.WireError, RecursionError):
                raise Broken(f"{self._blame}: a malformed answer") from None
        return kind, number, payload

    def _exactly(self, count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = self._read(count - len(parts))
            if part == b"":
                raise Ended
            if part is None:
                self._wait(self._reading)
            else:
                parts += part
        return bytes(parts)

    def _read(self, count: int) -> bytes | None:
        """What has come, at most `count`; empty at the end of the pipe, None where nothing has come yet."""
        try:
            return os.read(self._running.stdout, min(count, 1 << 20))
        except BlockingIOError:
            if self._ended:
                raise Ended from None
            return None

    def _available(self) -> bool:
        poll = select.poll()
        poll.register(self._running.stdout, select.POLLIN)
        return any(events & select.POLLIN for _, events in poll.poll(0))

    def _wait(self, poll: select.poll) -> None:
        if self._ended:
            raise Ended
        ready = [descriptor for descriptor, _ in poll.poll(self._step)]
        if self._running.pidfd in ready:
            self._ended = True
        for running in self.watched:
            running.look()
            if running.broken:
                raise Ended
