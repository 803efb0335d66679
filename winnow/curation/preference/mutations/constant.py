"""Another constant: the next number, the other truth value, a string with its last character twice."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.function_text import LARGEST, Edit, FunctionText

NAME = "constant"
_LONGEST = 40
"""Code points of a string; longer ones are messages more often than values."""


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit a number, truth value or short string; strings that stand alone are comments, and left."""
    comments = {id(n.value) for n in function.nodes() if isinstance(n, ast.Expr)}
    for node in function.nodes():
        if isinstance(node, ast.Constant) and id(node) not in comments:
            other = _other(node.value)
            if other is not None:
                yield Edit(*function.span(node), other)


def _other(value: object) -> str | None:
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int | float):
        return repr(value + 1) if abs(value) < LARGEST else None
    if isinstance(value, str) and len(value) <= _LONGEST:
        return repr(value + value[-1]) if value else repr(" ")
    return None
