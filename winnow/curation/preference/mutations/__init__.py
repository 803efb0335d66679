"""Small faults put into a function, one a mutant, the rest of its text as it was."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from winnow.core.deep import on_empty_stack
from winnow.core.identity import digest
from winnow.curation.preference.mutations import (
    bound,
    condition,
    constant,
    dropped_statement,
    off_by_one,
    operator,
    swapped_arguments,
)
from winnow.curation.preference.mutations.function_text import Edit, FunctionText

OPERATORS: tuple[ModuleType, ...] = (
    operator,
    bound,
    constant,
    condition,
    off_by_one,
    swapped_arguments,
    dropped_statement,
)
NAMES: tuple[str, ...] = tuple(module.NAME for module in OPERATORS)

__all__ = ["NAMES", "Edit", "FunctionText", "Mutant", "mutants"]


@dataclass(frozen=True)
class Mutant:
    """A function with one fault: which operator put it there, on which line (from 1), and the whole text."""

    operator: str
    line: int
    text: str


def mutants(source: str, seed: str) -> Iterator[Mutant]:
    """Each mutant of a function once, all of which parse and none of which has the function's own tree.

    The order is drawn by `seed`; operators take turns, so that the first few differ in kind. Raises
    SyntaxError where `source` is not one function.
    """
    function = FunctionText(source)
    own = ast.dump(function.function)
    queues = []
    for module in OPERATORS:
        drawn = sorted(
            module.edits(function), key=lambda e: digest([seed, module.NAME, e.start, e.end, e.text])
        )
        if drawn:
            queues.append((digest([seed, module.NAME]), module.NAME, drawn))
    seen = {source}
    turns = [(name, drawn) for _, name, drawn in sorted(queues)]
    for turn in range(max((len(drawn) for _, drawn in turns), default=0)):
        for name, drawn in turns:
            if turn < len(drawn):
                text = drawn[turn].applied(source)
                if text not in seen and _is_another(text, own):
                    seen.add(text)
                    yield Mutant(name, source.count("\n", 0, drawn[turn].start) + 1, text)


def _is_another(text: str, own: str) -> bool:
    try:
        tree = on_empty_stack(lambda: ast.parse(text))
    except (SyntaxError, ValueError):
        return False
    return len(tree.body) == 1 and ast.dump(tree.body[0]) != own
