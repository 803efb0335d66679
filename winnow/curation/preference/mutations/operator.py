"""Another operator: `+` for `-`, `*` for `/`, `and` for `or`."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from winnow.curation.preference.mutations.function_text import Edit, FunctionText

NAME = "operator"
_OTHER: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit an arithmetic or bitwise operator, augmented ones included, and one a chain of and/or."""
    for node in function.nodes():
        if isinstance(node, ast.BinOp) and type(node.op) in _OTHER and not _formats(node):
            yield from _replaced(function, node.left, node.right, *_OTHER[type(node.op)])
        elif isinstance(node, ast.AugAssign) and type(node.op) in _OTHER:
            old, new = _OTHER[type(node.op)]
            yield from _replaced(function, node.target, node.value, f"{old}=", f"{new}=")
        elif isinstance(node, ast.BoolOp):
            yield from _other_connective(function, node)


def _formats(node: ast.BinOp) -> bool:
    """`"%d" % x` formats; another operator there is only an error."""
    return isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant | ast.JoinedStr)


def _replaced(function: FunctionText, left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Edit]:
    begin, end = function.span(left)[1], function.span(right)[0]
    gap = function.text[begin:end]
    if "#" not in gap and gap.count(old) == 1:
        at = begin + gap.index(old)
        yield Edit(at, at + len(old), new)


def _other_connective(function: FunctionText, node: ast.BoolOp) -> Iterator[Edit]:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    text = function.of(node.values[0])
    for left, right in pairwise(node.values):
        gap = function.text[function.span(left)[1] : function.span(right)[0]]
        if "#" in gap:
            return
        text += re.sub(rf"\b{old}\b", new, gap, count=1) + function.of(right)
    yield Edit(function.span(node.values[0])[0], function.span(node.values[-1])[1], text)
