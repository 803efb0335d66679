"""The first two arguments of a call in each other's place."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.function_text import Edit, FunctionText

NAME = "swapped-arguments"


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit a call with two or more positional arguments of which the first two differ."""
    for node in function.nodes():
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        first, second = node.args[:2]
        if isinstance(first, ast.Starred | ast.GeneratorExp) or isinstance(second, ast.Starred):
            continue
        if ast.dump(first) == ast.dump(second):
            continue
        (start, after), (before, end) = function.span(first), function.span(second)
        yield Edit(start, end, function.of(second) + function.text[after:before] + function.of(first))
