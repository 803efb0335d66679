"""In the box of a program: loads it, then answers calls. Nothing here is trusted, for the program can change it."""

import os
import sys

from winnow.sandbox.wire import (
    ANSWER,
    CALL,
    LOADED,
    RAISED,
    WireError,
    decode,
    encode,
    read_frame,
    write_frame,
)


def serve() -> None:
    calls, answers = os.dup(0), os.dup(1)
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    _, number, source = read_frame(calls)
    program = type(sys)("program")
    sys.modules["program"] = program
    try:
        exec(compile(source, "program", "exec"), program.__dict__)  # noqa: S102 what boxes are for
        kind, payload = LOADED, b""
    except BaseException as error:
        kind, payload = RAISED, encode(type(error).__name__)
    write_frame(answers, kind, number, payload)
    while True:
        kind, number, payload = read_frame(calls)
        if kind != CALL:
            return
        write_frame(answers, *_answer(program, number, payload))


def _answer(program: object, number: int, payload: bytes) -> tuple[int, int, bytes]:
    try:
        name, args, kwargs = decode(payload)
        return ANSWER, number, encode(getattr(program, name)(*args, **kwargs))
    except WireError:
        return RAISED, number, encode("TypeError")
    except BaseException as error:
        return RAISED, number, encode(type(error).__name__)


if __name__ == "__main__":
    serve()
