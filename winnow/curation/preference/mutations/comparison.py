"""The operators of comparisons, found in the text between their operands."""

import ast
import re
from collections.abc import Iterator, Mapping

from winnow.curation.preference.mutations.function_text import Edit, FunctionText

_TOKEN = re.compile(r"<=|>=|==|!=|<|>|\bis\s+not\b|\bnot\s+in\b|\bis\b|\bin\b")


def replaced(function: FunctionText, new: Mapping[type[ast.cmpop], str]) -> Iterator[Edit]:
    """One edit a comparison whose operator has a replacement."""
    for node in function.nodes():
        if not isinstance(node, ast.Compare):
            continue
        operands = [node.left, *node.comparators]
        for number, operator in enumerate(node.ops):
            if type(operator) not in new:
                continue
            begin = function.span(operands[number])[1]
            gap = function.text[begin : function.span(operands[number + 1])[0]]
            token = _TOKEN.search(gap)
            if token is not None and "#" not in gap:
                yield Edit(begin + token.start(), begin + token.end(), new[type(operator)])
