"""The text of one Python function, with the span of each of its nodes."""

import ast
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from winnow.core.deep import on_empty_stack

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
LARGEST = 2**256
"""Numbers beyond it are left: decimal text of long ones is slow to write, and refused from 4300 digits on."""
_quiet = threading.Lock()


def parsed(text: str, compiles: bool = False) -> ast.Module:
    """Its tree, whether deep or not, without warnings of what it says; compiled too if `compiles`.

    Raises SyntaxError, ValueError or RecursionError.
    """
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = on_empty_stack(lambda: ast.parse(text))
        if compiles:
            on_empty_stack(lambda: compile(tree, "<function>", "exec", dont_inherit=True))
        return tree


@dataclass(frozen=True)
class Edit:
    """`text` in place of the code points `start` to `end` (half-open) of a function."""

    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


class FunctionText:
    """A function as text and tree. Raises SyntaxError where the text is not one function with LF line ends."""

    def __init__(self, text: str) -> None:
        if "\r" in text:
            raise SyntaxError("a line ends with CR")
        self.text = text
        tree = parsed(text)
        if len(tree.body) != 1 or not isinstance(tree.body[0], Function):
            raise SyntaxError("not one function")
        self.function: Function = tree.body[0]

    @cached_property
    def body(self) -> list[ast.stmt]:
        """Its statements without the docstring."""
        has_docstring = ast.get_docstring(self.function, clean=False) is not None
        return self.function.body[1:] if has_docstring else self.function.body

    @cached_property
    def _line_starts(self) -> list[tuple[int, str]]:
        starts, at = [], 0
        for line in self.text.split("\n"):
            starts.append((at, line))
            at += len(line) + 1
        return starts

    def offset(self, line: int, column: int) -> int:
        """Code points before a position as `ast` counts it: lines from 1, columns in bytes of UTF-8."""
        start, text = self._line_starts[line - 1]
        return start + (column if text.isascii() else len(text.encode()[:column].decode()))

    def span(self, node: Any) -> tuple[int, int]:
        """Code points of a node, half-open; parentheses around an expression lie outside."""
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def of(self, node: Any) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def operand(self, node: ast.expr) -> str:
        """Its text, in parentheses where an operator beside it could take it apart."""
        text = self.of(node)
        return text if isinstance(node, _ATOMS) and "\n" not in text else f"({text})"

    def nodes(self) -> Iterator[ast.AST]:
        """Nodes below the docstring in the order of the text.

        Left out: annotations; f-strings, whose inner positions Python 3.11 gets wrong; what an exception, an
        assertion or a warning says.
        """
        for statement in self.body:
            yield from _walk(statement)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Assert) and name == "msg"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)
