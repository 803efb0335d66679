"""Curated rows that ask for a documented function and answer with it."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from winnow.curation.preference.doctests import Example, examples
from winnow.curation.preference.mutations import FunctionText

_FENCED = re.compile(r"(?P<fence>`{3,})python\n(?P<text>.*?)\n+(?P=fence)\n*", re.DOTALL)
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
    meta: Any = orjson.loads(row["meta"]) if row["meta"] else None
    named = ("distribution", "version", "path", "qualname")
    if not isinstance(meta, dict) or not all(isinstance(meta.get(name), str) for name in named):
        return NO_FUNCTION
    messages = row["messages"]
    if len(messages) < 2 or messages[-1]["role"] != "assistant" or messages[-1]["tool_calls"]:
        return NO_FUNCTION
    content = messages[-1]["content"] or ""
    fenced = _FENCED.fullmatch(content)
    if fenced is None:
        return NO_FUNCTION
    text = fenced["text"]
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
        content[: fenced.start("text")],
        content[fenced.end("text") :],
    )


def module_name(path: str) -> str:
    """The name under which a file of a distribution is imported.

    >>> module_name("a/b/c.py"), module_name("a/b/__init__.py")
    ('a.b.c', 'a.b')
    """
    parts = path.removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
