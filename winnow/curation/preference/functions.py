"""Curated rows that ask for a documented function and answer with it."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from winnow.curation.preference.doctests import Example, examples
from winnow.curation.preference.mutations import FunctionText

_OPENING = re.compile(r"(`{3,})python\n")
NO_FUNCTION, NO_DOCTEST = "no-function", "no-doctest"


@dataclass(frozen=True)
class DocumentedFunction:
    """A function out of a row: where it is installed, its text, its examples, and the answer around it."""

    row_id: str
    source: str
    distribution: str
    version: str
    module: str
    qualname: str
    text: str
    examples: tuple[Example, ...]
    before: str
    after: str

    def answer(self, text: str) -> str:
        """What the assistant says with `text` as the function."""
        return f"{self.before}{text}{self.after}"


def documented_function(row: Mapping[str, Any]) -> DocumentedFunction | str:
    """The function of a row, or the rule by which the row gives no pair.

    Taken are rows of a prompt and an answer whose `meta` names distribution, version, path and qualname, whose
    answer is one fenced function, and whose docstring has an example that says what comes out.
    """
    meta, messages = _named(row["meta"]), row["messages"]
    if meta is None or len(messages) < 2 or messages[-1]["role"] != "assistant" or messages[-1]["tool_calls"]:
        return NO_FUNCTION
    content = messages[-1]["content"] or ""
    start, end = _fenced(content)
    text = content[start:end]
    try:
        function = FunctionText(text).function
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NO_FUNCTION
    if isinstance(function, ast.AsyncFunctionDef) or function.name != meta["qualname"].rpartition(".")[2]:
        return NO_FUNCTION
    found = examples(function)
    if not any(example.asserts for example in found):
        return NO_DOCTEST
    return DocumentedFunction(
        row["row_id"],
        row["source"],
        meta["distribution"],
        meta["version"],
        module_name(meta["path"]),
        meta["qualname"],
        text,
        found,
        content[:start],
        content[end:],
    )


def _named(meta: str | None) -> dict[str, str] | None:
    """What a row says of where its function is installed; None where it does not say all of it."""
    try:
        told: Any = orjson.loads(meta or "null")
    except orjson.JSONDecodeError:
        return None
    names = ("distribution", "version", "path", "qualname")
    return told if isinstance(told, dict) and all(isinstance(told.get(n), str) for n in names) else None


def _fenced(content: str) -> tuple[int, int]:
    """Where the text of the one fenced block begins and ends that is all of the content; else nowhere."""
    opening = _OPENING.match(content)
    if opening is None:
        return 0, 0
    inside = content.rstrip("\n").removesuffix(f"\n{opening[1]}")
    closed = len(inside) < len(content.rstrip("\n"))
    return (opening.end(), len(inside.rstrip("\n"))) if closed else (0, 0)


def module_name(path: str) -> str:
    """The name under which a file of a distribution is imported.

    >>> module_name("a/b/c.py"), module_name("a/b/__init__.py")
    ('a.b.c', 'a.b')
    """
    parts = path.removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
