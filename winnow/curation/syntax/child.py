"""The process in which foreign text meets parsers written in C.

It may crash, hang or swell: the kernel ends it at its limits of CPU time and memory, and its parent starts another.
It ends by itself within half a second of a parent that was killed.
"""

import os
import resource
import select
import signal
import sys
from array import array
from collections.abc import Iterable
from time import process_time

from winnow.curation.syntax.grammars import ORDER
from winnow.curation.syntax.walk import Piece, TooDeep, read
from winnow.curation.syntax.wire import OK, REPLY, REQUEST, TOO_DEEP

_LOOK_FOR_PARENT_MS = 500
_CONTINUATION = bytes(range(0x80, 0xC0))


def serve(parent: int, memory_bytes: int) -> None:
    """Answers requests on stdin until it ends, or until `parent` is no longer the parent."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for ending in (signal.SIGTERM, signal.SIGPROF):
        signal.signal(ending, signal.SIG_DFL)  # a parent that ignores one hands that down
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, whose end is ours
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    while header := _receive(REQUEST.size, parent):
        number, seconds, max_depth, size = REQUEST.unpack(header)
        source = _receive(size, parent)
        # CPU time, not wall time: what a text gets must not depend on how busy the machine is
        signal.setitimer(signal.ITIMER_PROF, seconds)
        started = process_time()
        try:
            pieces, errors = read(source, ORDER[number], max_depth)
            status, body = OK, (points(source, pieces) + points(source, errors)).tobytes()
        except TooDeep:
            status, body = TOO_DEEP, b""
        signal.setitimer(signal.ITIMER_PROF, 0)
        _send(REPLY.pack(status, process_time() - started, len(body)) + body, parent)


def points(source: bytes, pieces: Iterable[Piece]) -> "array[int]":
    """Start, end and kind of each piece in one array, offsets in code points.

    >>> points("é = '🚀'".encode(), [(5, 11, 3)])
    array('I', [4, 7, 3])
    """
    found = array("I")
    if source.isascii():
        for piece in pieces:
            found.extend(piece)
        return found
    at = point = 0
    for start, end, kind in pieces:
        first = point + len(source[at:start].translate(None, _CONTINUATION))
        point = first + len(source[start:end].translate(None, _CONTINUATION))
        at = end
        found.extend((first, point, kind))
    return found


def _receive(size: int, parent: int) -> bytes:
    """`size` bytes of stdin; fewer where it ends. Leaves the process where the parent has gone."""
    poller = select.poll()
    poller.register(0, select.POLLIN)
    parts: list[bytes] = []
    while size:
        if not poller.poll(_LOOK_FOR_PARENT_MS):
            if os.getppid() != parent:
                os._exit(1)
            continue
        part = os.read(0, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _send(data: bytes, parent: int) -> None:
    """All of it to stdout. Leaves the process where the parent has gone, whoever else holds the pipe."""
    os.set_blocking(1, False)
    poller = select.poll()
    poller.register(1, select.POLLOUT)
    view = memoryview(data)
    while view:
        if poller.poll(_LOOK_FOR_PARENT_MS):
            view = view[os.write(1, view) :]
        elif os.getppid() != parent:
            os._exit(1)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
