"""The opposite condition: `!=` for `==`, `x` for `not x`, a test negated."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.comparison import replaced
from winnow.curation.preference.mutations.function_text import Edit, FunctionText

NAME = "condition"
_OPPOSITE: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit a test for equality, identity or membership, a `not`, and a test of any other form."""
    yield from replaced(function, _OPPOSITE)
    for node in function.nodes():
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Edit(*function.span(node), function.operand(node.operand))
        tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
        if isinstance(node, ast.comprehension):
            tests = node.ifs
        for test in tests:
            if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
                yield Edit(*function.span(test), f"not {function.operand(test)}")
