"""Runs inside the sandbox, on the standard library alone: examples of a function, with its code put in.

Reads a request a line on stdin: `module`, `qualname`, `text` (the function as it is to be), `examples`,
`seconds`. Answers a line on stdout: `state` (ok, import, missing, shape, timeout, died) and, where a run began,
`outputs`: for each example that ended what it printed, and what it raised. The module is imported once; each
request runs in a fork of the process that imported it, so that none sees what another left behind.
"""

import __future__

import ast
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
END = "end"
PATIENCE = 4
"""Seconds of wall time for each second of CPU time."""
FUTURES = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
"""The flags of code that stand for the `from __future__` imports of its module."""
defined: dict[str, dict[str, list[types.FunctionType]]] = {}


def main() -> None:
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    sys.path[:0] = sys.argv[1:]
    for line in requests:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    module = imported(request["module"])
    if module is None:
        return {"state": "import", "outputs": []}
    function = live_function(module, request["qualname"])
    if function is None:
        return {"state": "missing", "outputs": []}
    code = compiled(request["text"], request["qualname"], function)
    if code is None:
        return {"state": "shape", "outputs": []}
    return forked(lambda pipe: run(module, function, code, request["examples"], pipe), request["seconds"])


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

    Code that needs other cells, or takes other arguments, than the function has does not fit into it.
    """
    owner, _, name = qualname.rpartition(".")
    tree = ast.parse(text)
    if owner:
        tree.body = [ast.ClassDef(name=owner, bases=[], keywords=[], body=tree.body, decorator_list=[])]
        ast.fix_missing_locations(tree)
    flags = function.__code__.co_flags & FUTURES
    code = compile(tree, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    for part in [owner, name] if owner else [name]:
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == part]
        if len(inner) != 1:
            return None
        code = inner[0]
    same = all(
        getattr(code, field) == getattr(function.__code__, field)
        for field in ("co_freevars", "co_argcount", "co_kwonlyargcount", "co_posonlyargcount")
    )
    return code if same else None


def forked(work: Callable[[TextIO], None], seconds: float) -> dict[str, Any]:
    """What `work` wrote to the pipe in a process of its own, killed after `seconds` of CPU time.

    Waiting counts less: a busy machine must not decide whether a function is too slow.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
            work(os.fdopen(writing, "w", encoding="utf-8"))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    data, in_time = read_until(reading, time.monotonic() + PATIENCE * seconds)
    os.close(reading)
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
    _, status = os.waitpid(child, 0)
    lines = data.decode().split("\n")[:-1]
    is_whole = lines[-1:] == [END]
    outputs = [json.loads(line) for line in lines if line != END]
    if not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return {"state": "timeout", "outputs": outputs}
    return {"state": "ok" if is_whole else "died", "outputs": outputs}


def read_until(descriptor: int, deadline: float) -> tuple[bytes, bool]:
    data = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([descriptor], [], [], left)[0]:
            break
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            return data, True
        data += chunk
    return data, False


def run(
    module: types.ModuleType,
    function: types.FunctionType,
    code: types.CodeType,
    examples: list[str],
    pipe: TextIO,
) -> None:
    function.__code__ = code
    names = module.__dict__.copy()
    flags = code.co_flags & FUTURES
    for number, source in enumerate(examples):
        sys.stdout = printed = io.StringIO()
        sys.stderr = io.StringIO()
        sys.displayhook = sys.__displayhook__
        raised = None
        try:
            exec(compile(source, f"<example {number}>", "single", flags, dont_inherit=True), names)  # noqa: S102
        except BaseException as error:
            raised = traceback.format_exception_only(type(error), error)[-1]
        pipe.write(json.dumps({"printed": printed.getvalue()[:MAX_PRINTED], "raised": raised}) + "\n")
        pipe.flush()
    pipe.write(END + "\n")
    pipe.flush()


if __name__ == "__main__":
    main()
