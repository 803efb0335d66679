"""A bound that takes in its end, or leaves it out: `<` for `<=`."""

import ast
from collections.abc import Iterator

from winnow.curation.preference.mutations.comparison import replaced
from winnow.curation.preference.mutations.function_text import Edit, FunctionText

NAME = "bound"


def edits(function: FunctionText) -> Iterator[Edit]:
    """One edit an ordering comparison."""
    yield from replaced(function, {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"})
