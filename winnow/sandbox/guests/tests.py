"""In the box of tests: one process for each set of tests, forked from one that has started already.

`check(candidate)` is called with a function that asks the program's box over the parent. What is written on the
pipe is the verdict: only this box holds it, and the program is in another.
"""

import builtins
import os
import resource
from typing import Any

from winnow.sandbox.wire import (
    ANSWER,
    CALL,
    FAILED,
    OVER,
    PASSED,
    WireError,
    decode,
    encode,
    read_frame,
    write_frame,
)

CALLS, VERDICTS = 3, 4
# Of one set of tests, less than the box has: what a program's answer blows up fails that program, not the box.
MEMORY = 768 << 20
# What tests and prompts often import: once here, for all that are forked.
OFTEN = ("collections", "copy", "functools", "itertools", "math", "random", "re", "string", "typing")


class CallFailed(Exception):
    """The program raised something that is no built-in exception."""


def serve() -> None:
    os.dup2(0, CALLS)
    os.dup2(1, VERDICTS)
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for name in OFTEN:
        __import__(name)
    while True:
        try:
            _, number, payload = read_frame(CALLS)
        except EOFError:
            return
        child = os.fork()
        if child == 0:
            _judge(number, *decode(payload))
        _, status = os.waitpid(child, 0)
        write_frame(VERDICTS, OVER, number, encode(os.waitstatus_to_exitcode(status)))


def _judge(number: int, helpers: str, tests: str, entry_point: str, cpu_seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    kind, reason = FAILED, "tests: no function `check`"
    candidate = Candidate(entry_point)
    try:
        names: dict[str, Any] = {"__name__": "tests"}
        exec(compile(helpers, "helpers", "exec"), names)  # noqa: S102 what boxes are for
        names[entry_point] = candidate
        exec(compile(tests, "tests", "exec"), names)  # noqa: S102
        if callable(names.get("check")):
            names["check"](candidate)
            kind, reason = PASSED, "passed"
    except AssertionError:
        reason = "failed: assertion"
    except BaseException as error:
        # Before the first question, or in sending it, the fault is of the tests.
        own = candidate.asked == 0 or isinstance(error, WireError)
        reason = f"{'tests' if own else 'failed'}: {type(error).__name__}"
    write_frame(VERDICTS, kind, number, encode(reason))
    os._exit(0)


class Candidate:
    """The program's function, as the tests see it: each call is a question to its box."""

    def __init__(self, name: str) -> None:
        self._name, self.asked = name, 0

    def __call__(self, *args: object, **kwargs: object) -> object:
        question = encode((self._name, args, kwargs))
        self.asked += 1
        write_frame(VERDICTS, CALL, self.asked, question)
        kind, number, payload = read_frame(CALLS)
        if number != self.asked:
            raise CallFailed("an answer to another question")
        try:
            value = decode(payload)
        except WireError as error:
            raise CallFailed(str(error)) from None
        if kind == ANSWER:
            return value
        raise _raised(str(value))


def _raised(name: str) -> Exception:
    """The exception that the tests see. One that ends loops or processes in silence never reaches them."""
    kind = getattr(builtins, name, None)
    silent = (StopIteration, StopAsyncIteration)
    if not isinstance(kind, type) or not issubclass(kind, Exception) or issubclass(kind, silent):
        return CallFailed(name)
    try:
        return kind("raised by the program")
    except TypeError:  # a built-in that wants more words, such as UnicodeDecodeError
        return CallFailed(name)


if __name__ == "__main__":
    serve()
