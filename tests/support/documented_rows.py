"""Curated rows that ask for a function with doctests, and modules of such functions that a box can import."""

import ast
import json
import textwrap
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.rows import CURATED
from winnow.core.identity import conversation_hash, row_id
from winnow.curation.preference.functions import DocumentedFunction, documented_function

DISTRIBUTION = "winnow-written"


def row(
    text: str,
    path: str = "written.py",
    qualname: str | None = None,
    distribution: str = DISTRIBUTION,
    version: str = "1",
    source: str = "written",
    **more: Any,
) -> dict[str, Any]:
    """As `docstring_functions` makes it; `more` replaces columns."""
    named = qualname or text.partition("def ")[2].partition("(")[0]
    meta = {"distribution": distribution, "version": version, "path": path, "qualname": named}
    messages = [
        {"role": "user", "content": f"Write `{named}`.\n\n```python\n{text.partition('return')[0]}\n```"},
        {"role": "assistant", "content": f"```python\n{text}\n```"},
    ]
    return {
        "row_id": row_id(source, f"{distribution}/{path}::{named}", "", 0),
        "parent_row_id": None,
        "source": source,
        "source_revision": "r1",
        "kind": "sft",
        "messages": [{**m, "tool_calls": []} for m in messages],
        "tools": None,
        "language": "python",
        "license": "MIT",
        "content_hash": conversation_hash(messages, None),
        "meta": json.dumps(meta, sort_keys=True),
        **more,
    }


def batches(rows: Iterable[dict[str, Any]], size: int = 3) -> list[pa.RecordBatch]:
    """The rows as `curated` holds them."""
    table = pa.Table.from_pylist(list(rows), schema=CURATED.arrow_schema())
    return table.combine_chunks().to_batches(max_chunksize=size)


class WrittenModules:
    """A folder of modules, written as a test needs them; each function found by the name that it has there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = 0

    def write(self, text: str, path: str | None = None) -> str:
        """The path of a new module, below the folder."""
        self._numbers += 1
        path = path or f"written_{self._numbers}.py"
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def functions(self, text: str, path: str | None = None) -> dict[str, DocumentedFunction]:
        """The documented functions of a new module by qualified name."""
        text = textwrap.dedent(text)
        path = self.write(text, path)
        lines, found = text.split("\n"), {}
        for node, owner in _functions(ast.parse(text)):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            source = textwrap.dedent("\n".join(lines[start : node.end_lineno]))
            qualname = f"{owner}.{node.name}" if owner else node.name
            made = documented_function(row(source, path, qualname))
            if isinstance(made, DocumentedFunction):
                found[qualname] = made
        return found

    def function(self, text: str, path: str | None = None) -> DocumentedFunction:
        """The one documented function of a new module."""
        (found,) = self.functions(text, path).values()
        return found


def claiming(function: DocumentedFunction, **claims: Any) -> DocumentedFunction:
    """The same function as a row would have it that says otherwise."""
    return replace(function, **claims)


def _functions(tree: ast.Module) -> Iterable[tuple[ast.FunctionDef, str | None]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, None
        elif isinstance(node, ast.ClassDef):
            yield from ((inner, node.name) for inner in node.body if isinstance(inner, ast.FunctionDef))
