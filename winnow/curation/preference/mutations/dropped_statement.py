"""A statement left out, `pass` in its place."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.function_text import Edit, FunctionText

NAME = "dropped-statement"


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit a call, an early return of a value, a raise, a guard without `else`, or a name assigned again.

    Left are faults that anyone sees: without its last return a function gives nothing, and without the first
    assignment of a name it fails to find the name.
    """
    last = function.body[-1] if function.body else None
    known = {argument.arg for argument in ast.walk(function.function.args) if isinstance(argument, ast.arg)}
    for node in function.nodes():
        if isinstance(node, ast.stmt) and node is not last and _can_go(node, known):
            yield Edit(*function.span(node), "pass")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)


def _can_go(node: ast.stmt, known: set[str]) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom | ast.Await)
    if isinstance(node, ast.Return):
        return node.value is not None
    if isinstance(node, ast.If):
        return not node.orelse
    if isinstance(node, ast.Assign):
        return all(not isinstance(t, ast.Name) or t.id in known for t in node.targets)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Delete)
