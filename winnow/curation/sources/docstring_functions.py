"""Documented functions of Python files: signature and docstring are the instruction, the function the answer.

Taken are top-level functions and methods of top-level classes whose docstring has MIN_DOCSTRING characters or
more, that do something beyond it, and whose source has at most MAX_SOURCE characters.
"""

import ast
import gc
import logging
import re
import textwrap
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson

from winnow.core.deep import on_empty_stack
from winnow.core.identity import payload_hash
from winnow.curation.normalize.file_text import decoded
from winnow.curation.normalize.rules import ParkError
from winnow.curation.sources import distributions
from winnow.curation.sources.config import Source
from winnow.curation.sources.records import ReadSettings, Record

MIN_DOCSTRING = 20
MAX_SOURCE = 8000
MAX_FILE_BYTES = 1 << 20
"""Larger files are tables, not code, and take long to parse."""
_FENCE = re.compile(r"`{3,}")
_log = logging.getLogger(__name__)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Documented(NamedTuple):
    """A function of a file: `number` counts the functions of one qualified name, in file order."""

    qualname: str
    number: int
    prompt: str
    """Signature and docstring, dedented."""
    source: str
    """The whole function, dedented, decorators included."""
    in_class: str | None


def content(source: Source, settings: ReadSettings) -> str:
    """A hash of names, versions, licences and file bytes."""
    return distributions.content(source)


def records(source: Source, settings: ReadSettings) -> Iterator[Record]:
    """One record a documented function, in file order; key `distribution/path::qualname#n`.

    `meta`, which filters look at: distribution, version, path, qualname, bytes (of the function).
    Files above MAX_FILE_BYTES and files that do not parse hold no records: one log line counts them.
    """
    skipped = 0
    for distribution in distributions.distributions(source):
        for path in distribution.files:
            tree_and_text = _parsed(distribution, path)
            if tree_and_text is None:
                skipped += 1
                continue
            for function in documented_functions(*tree_and_text):
                yield _record(distribution, path, function)
    if skipped:
        _log.info(
            "source %s: %d files are too large or do not parse, and give no functions", source.id, skipped
        )


def _parsed(distribution: distributions.Distribution, path: str) -> tuple[ast.Module, str] | None:
    file = distribution.root / path
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            return None
        text = decoded(file.read_bytes(), "python").text
        with warnings.catch_warnings(), _collector_paused():
            warnings.simplefilter("ignore")
            return on_empty_stack(lambda: ast.parse(text)), text
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, ParkError):
        return None


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A tree has no cycles, and looking for some in it takes a third of the time of parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def documented_functions(tree: ast.Module, text: str) -> Iterator[Documented]:
    """The functions worth an instruction, numbered among all functions of their qualified name."""
    file_lines = _split_lines(text)
    numbers: Counter[str] = Counter()
    for function, class_name in _functions(tree):
        qualname = f"{class_name}.{function.name}" if class_name else function.name
        number = numbers[qualname]
        numbers[qualname] += 1
        docstring_end = _docstring_end(function)
        if docstring_end is None:
            continue
        start = min([function.lineno, *(d.lineno for d in function.decorator_list)]) - 1
        source = textwrap.dedent("\n".join(file_lines[start : function.end_lineno])).rstrip()
        prompt = textwrap.dedent("\n".join(file_lines[start:docstring_end])).rstrip()
        if len(source) <= MAX_SOURCE and source[:1].strip():
            yield Documented(qualname, number, prompt, source, class_name)


def _functions(tree: ast.Module) -> Iterator[tuple[Function, str | None]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield node, None
        elif isinstance(node, ast.ClassDef):
            yield from ((inner, node.name) for inner in node.body if isinstance(inner, Function))


def _docstring_end(function: Function) -> int | None:
    """The line on which the docstring ends; None without a docstring, or with nothing beyond it."""
    docstring = ast.get_docstring(function, clean=False)
    if docstring is None or len(docstring.strip()) < MIN_DOCSTRING or all(map(_is_stub, function.body[1:])):
        return None
    first, second = function.body[:2]
    end = first.end_lineno
    stands_alone = end is not None and first.lineno > function.lineno and second.lineno > end
    return end if stands_alone else None


def _is_stub(statement: ast.stmt) -> bool:
    """`pass`, `...`, or raising NotImplementedError."""
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _split_lines(text: str) -> list[str]:
    """Lines as the parser counts them: it knows LF, CRLF and CR, and no other separator."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _record(distribution: distributions.Distribution, path: str, function: Documented) -> Record:
    what = f"the method `{function.qualname}`" if function.in_class else f"the function `{function.qualname}`"
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCE.findall(function.source))])
    messages = [
        {
            "role": "user",
            "content": f"Write {what} in Python with this signature and docstring.\n\n"
            f"{fence}python\n{function.prompt}\n{fence}",
        },
        {"role": "assistant", "content": f"{fence}python\n{function.source}\n{fence}"},
    ]
    payload = orjson.dumps({"messages": messages})
    meta: dict[str, Any] = {
        "distribution": distribution.name,
        "version": distribution.version,
        "path": path,
        "qualname": function.qualname,
        "bytes": len(function.source.encode()),
    }
    return Record(
        payload=payload,
        content_hash=payload_hash(payload),
        payload_kind="json",
        size=len(payload),
        key=f"{distribution.name}/{path}::{function.qualname}#{function.number}",
        license=distribution.license,
        meta=orjson.dumps(meta, option=orjson.OPT_SORT_KEYS).decode(),
        fields=meta,
    )
