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
from winnow.curation.preference.mutations.function_text import Edit, FunctionText, parsed

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
    """Each mutant of a function once, by its tree; all compile, and none has the function's own tree.

    The order is drawn by `seed`; operators take turns, so that the first few differ in kind. There are none of a
    function that is nested too deep for Python to walk, or holds a number too long for it to write. Raises
    SyntaxError where `source` is not one function.
    """
    function = FunctionText(source)
    try:
        seen = {on_empty_stack(lambda: ast.dump(function.function))}
        turns = on_empty_stack(lambda: _drawn(function, seed))
    except (RecursionError, ValueError):
        return
    for turn in range(max((len(drawn) for _, drawn in turns), default=0)):
        for name, drawn in turns:
            if turn < len(drawn):
                text = drawn[turn].applied(source)
                tree = _compiling_tree(text)
                if tree is not None and tree not in seen:
                    seen.add(tree)
                    yield Mutant(name, source.count("\n", 0, drawn[turn].start) + 1, text)


def _drawn(function: FunctionText, seed: str) -> list[tuple[str, list[Edit]]]:
    """The edits of each operator that has any, operators and edits in the order that `seed` draws."""
    turns = []
    for module in sorted(OPERATORS, key=lambda module: digest([seed, module.NAME])):
        edits = sorted(
            module.edits(function), key=lambda e: digest([seed, module.NAME, e.start, e.end, e.text])
        )
        if edits:
            turns.append((module.NAME, edits))
    return turns


def _compiling_tree(text: str) -> str | None:
    """The tree of one function as text; None where it does not compile."""
    try:
        tree = parsed(text, compiles=True)
        return on_empty_stack(lambda: ast.dump(tree.body[0])) if len(tree.body) == 1 else None
    except (SyntaxError, ValueError, RecursionError):
        return None
