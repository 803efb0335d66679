"""One too few or too far: the stop of a range, a length, an index, the end of a slice."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.function_text import LARGEST, Edit, FunctionText

NAME = "off-by-one"


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit a call of `range` or `len`, a constant index, and a bound of a slice."""
    for node in function.nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from _call(function, node, node.func.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            yield from _subscript(function, node.slice)


def _call(function: FunctionText, node: ast.Call, name: str) -> Iterator[Edit]:
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    if name == "range" and node.args:
        stop = node.args[min(1, len(node.args) - 1)]
        yield Edit(*function.span(stop), f"{function.operand(stop)} - 1")
    elif name == "len" and len(node.args) == 1:
        yield Edit(*function.span(node), f"(len({function.of(node.args[0])}) - 1)")


def _subscript(function: FunctionText, index: ast.expr) -> Iterator[Edit]:
    if isinstance(index, ast.Slice):
        for bound in (index.lower, index.upper):
            if bound is not None:
                yield Edit(*function.span(bound), f"{function.operand(bound)} + 1")
    elif isinstance(index, ast.UnaryOp | ast.Constant):
        number = _integer(index)
        if number is not None:
            yield Edit(*function.span(index), str(number + 1 if number >= 0 else number - 1))


def _integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None
