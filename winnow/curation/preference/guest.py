"""Runs inside the sandbox, on the standard library alone: examples of a function, with its code put in.

Called with the one folder that it may write to, then the folders of packages. Reads a request a line on stdin:
`id` and `module`, which imports; with `qualname`, `text` (the function as it is to be), `examples` and `seconds`
too it runs. Answers a line on stdout: `id`, `state` (ok, import, missing, shape, timeout, died) and `outputs`:
for each example that ended what it printed, and what it raised. A module is imported once; each run is a fork of
the process that imported it, and what it leaves in files is removed, so that none sees what another left behind.
"""

import __future__

import ast
import contextlib
import functools
import gc
import importlib
import io
import json
import math
import operator
import os
import resource
import select
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable
from typing import Any, TextIO

MAX_PRINTED = 1 << 16
"""Code points of what one example prints or raises; the rest is cut off."""
MAX_ANSWER = 1 << 26
"""Bytes of one answer."""
PATIENCE = 4
"""Seconds of wall time for each second of CPU time."""
_END = b"end\n"
_VARIADIC = 0x04 | 0x08
_FUTURES = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
"""The flags of code that stand for the `from __future__` imports of its module."""
defined: dict[str, dict[str, list[types.FunctionType]]] = {}
channel: list[int] = []
"""Descriptors of requests and answers, which no run gets."""


def main() -> None:
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    channel.extend((requests.fileno(), answers.fileno()))
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    writable, *packages = sys.argv[1:]
    sys.path[:0] = packages
    for line in requests:
        request = json.loads(line)
        answers.write(json.dumps({"id": request["id"], **answer(request, writable)}) + "\n")
        answers.flush()


def answer(request: dict[str, Any], writable: str) -> dict[str, Any]:
    module = imported(request["module"])
    if module is None:
        return {"state": "import", "outputs": []}
    if "qualname" not in request:
        return {"state": "ok", "outputs": []}
    function = live_function(module, request["qualname"])
    if function is None:
        return {"state": "missing", "outputs": []}
    code = compiled(request["text"], request["qualname"], function)
    if code is None:
        return {"state": "shape", "outputs": []}
    before = paths_below(writable)
    try:
        return forked(lambda pipe: run(module, function, code, request["examples"], pipe), request["seconds"])
    finally:
        remove(paths_below(writable) - before)


def imported(name: str) -> types.ModuleType | None:
    try:
        return importlib.import_module(name)
    except BaseException:  # what a module does when imported is its own affair
        return None


def live_function(module: types.ModuleType, qualname: str) -> types.FunctionType | None:
    """The one function of this name that the module defined, under whatever decorator; None among several."""
    if module.__name__ not in defined:
        defined[module.__name__] = functions_of(getattr(module, "__file__", None))
    found = defined[module.__name__].get(qualname, [])
    return found[0] if len(found) == 1 else None


def functions_of(file: str | None) -> dict[str, list[types.FunctionType]]:
    """All functions alive whose code comes from this file, by qualified name."""
    found: dict[str, list[types.FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__code__.co_filename == file:
            found.setdefault(thing.__code__.co_qualname, []).append(thing)
    return found


def compiled(text: str, qualname: str, function: types.FunctionType) -> types.CodeType | None:
    """The code of the text as a function or method of this name; None where it cannot stand for the function.

    Code that does not compile, needs other cells, or takes other arguments than the function has, does not fit.
    """
    *owner, name = qualname.split(".")[-2:]
    flags = function.__code__.co_flags & _FUTURES
    try:
        tree = ast.parse(text)
        if owner:
            tree.body = [ast.ClassDef(owner[0], bases=[], keywords=[], body=tree.body, decorator_list=[])]
            ast.fix_missing_locations(tree)
        code = compile(tree, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for part in (*owner, name):
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == part]
        if len(inner) != 1:
            return None
        code = inner[0]
    return code if shape(code) == shape(function.__code__) else None


def shape(code: types.CodeType) -> tuple[Any, ...]:
    """What two codes share of which one can stand for the other: their cells, and how they are called."""
    named = code.co_argcount + code.co_kwonlyargcount
    return (
        code.co_freevars,
        code.co_varnames[:named],
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & _VARIADIC,
    )


def forked(work: Callable[[TextIO], None], seconds: float) -> dict[str, Any]:
    """What `work` wrote to the pipe in a process of its own, killed after `seconds` of CPU time.

    Waiting counts less: a busy machine must not decide whether a function is too slow.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            for descriptor in (reading, *channel):
                os.close(descriptor)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
            work(os.fdopen(writing, "w", encoding="utf-8"))
        finally:
            os._exit(0)
    os.close(writing)
    data, in_time = read_to_end(reading, time.monotonic() + PATIENCE * seconds)
    os.close(reading)
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    is_whole = data.endswith(_END)
    cut_off = not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    try:
        outputs = [json.loads(line) for line in data.removesuffix(_END).splitlines()] if is_whole else []
    except ValueError:  # the run wrote to the pipe itself
        return {"state": "died", "outputs": []}
    return {"state": "ok" if is_whole else "timeout" if cut_off else "died", "outputs": outputs}


def read_to_end(descriptor: int, deadline: float) -> tuple[bytes, bool]:
    """What came until the mark of the end, the end of the pipe, too much of it, or the deadline: False there."""
    data = bytearray()
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([descriptor], [], [], left)[0]:
            break
        chunk = os.read(descriptor, 1 << 16)
        data += chunk
        if not chunk or data.endswith(_END) or len(data) > MAX_ANSWER:
            return bytes(data), True
    return bytes(data), False


def run(
    module: types.ModuleType,
    function: types.FunctionType,
    code: types.CodeType,
    examples: list[str],
    pipe: TextIO,
) -> None:
    function.__code__ = code
    own, names = os.getpid(), module.__dict__.copy()
    flags = code.co_flags & _FUTURES
    for number, source in enumerate(examples):
        sys.stdout = printed = io.StringIO()
        sys.stderr = io.StringIO()
        sys.displayhook = sys.__displayhook__
        raised = None
        try:
            exec(compile(source, f"<example {number}>", "single", flags, dont_inherit=True), names)  # noqa: S102
        except BaseException as error:
            raised = shown(message(error))
        if os.getpid() != own:  # an example that forks goes on twice
            os._exit(0)
        pipe.write(json.dumps({"printed": shown(whole_lines(printed.getvalue())), "raised": raised}) + "\n")
        pipe.flush()
    pipe.write(_END.decode())
    pipe.flush()


def message(error: BaseException) -> str:
    """What follows the frames of a traceback; of a syntax error not where it is, as `doctest` has it."""
    lines = traceback.format_exception_only(type(error), error)
    if isinstance(error, SyntaxError):
        name = f"{type(error).__qualname__}:"
        starts = (name, f"{type(error).__module__}.{name}")
        lines = lines[next((n for n, line in enumerate(lines) if line.startswith(starts)), 0) :]
    return "".join(lines)


def whole_lines(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def shown(text: str) -> str:
    """Its beginning, with lone surrogates as escapes, which is how `doctest` compares them."""
    return text[:MAX_PRINTED].encode("utf-8", "backslashreplace").decode()


def paths_below(folder: str) -> set[str]:
    return {os.path.join(at, name) for at, folders, files in os.walk(folder) for name in (*folders, *files)}


def remove(paths: set[str]) -> None:
    """Files and folders, those inside of a folder before it; what resists stays."""
    for path in sorted(paths, reverse=True):
        with contextlib.suppress(OSError):
            if os.path.isdir(path) and not os.path.islink(path):
                os.rmdir(path)
            else:
                os.remove(path)


if __name__ == "__main__":
    main()
