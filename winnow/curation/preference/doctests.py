"""The examples of a docstring, and whether what they printed is what the docstring says.

Compared is as `doctest` does it, with ELLIPSIS and NORMALIZE_WHITESPACE on, as most projects run theirs. The
comparison lives here and not beside the code that runs: of the two sides only this one knows the answers.
"""

import ast
import doctest
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
Failure = Literal["value", "exception", "no-answer"]
_SKIP = doctest.SKIP
_checker = doctest.OutputChecker()
_parser = doctest.DocTestParser()


@dataclass(frozen=True)
class Example:
    """One prompt of a docstring: what to run, and what it has to print or raise."""

    source: str
    want: str
    raises: str | None
    """`Type: message` where the docstring shows a traceback."""
    flags: int = FLAGS

    @property
    def asserts(self) -> bool:
        """Whether anything is said of what comes out."""
        return bool(self.want) or self.raises is not None


@dataclass(frozen=True)
class Output:
    """What one example printed, and what it raised as `Type: message`."""

    printed: str
    raised: str | None = None


@dataclass(frozen=True)
class Outcome:
    """Whether all examples came out right; else the first that did not (from 0), and how."""

    passed: bool
    example: int | None = None
    failure: Failure | None = None


def examples(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Example, ...]:
    """The examples of a function's docstring, those marked `+SKIP` left out; none where they do not parse."""
    docstring = ast.get_docstring(function)
    if not docstring or ">>>" not in docstring:
        return ()
    try:
        found = _parser.get_examples(docstring)
    except ValueError:
        return ()
    read = []
    for example in found:
        flags = FLAGS
        for flag, is_on in example.options.items():
            flags = flags | flag if is_on else flags & ~flag
        if not flags & _SKIP:
            read.append(Example(example.source, example.want, example.exc_msg, flags))
    return tuple(read)


def judge(asked: Sequence[Example], outputs: Sequence[Output]) -> Outcome:
    """The outputs of the examples in order; fewer outputs than examples mean that the run ended before."""
    for number, example in enumerate(asked):
        if number >= len(outputs):
            return Outcome(False, number, "no-answer")
        output = outputs[number]
        if output.raised is None:
            if not _checker.check_output(example.want, output.printed, example.flags):
                return Outcome(False, number, "value")
        elif example.raises is None or not _is_raised(example, output.raised):
            return Outcome(False, number, "exception")
    return Outcome(True)


def _is_raised(example: Example, raised: str) -> bool:
    assert example.raises is not None
    if _checker.check_output(example.raises, raised, example.flags):
        return True
    if not example.flags & doctest.IGNORE_EXCEPTION_DETAIL:
        return False
    return _checker.check_output(_type_name(example.raises), _type_name(raised), example.flags)


def _type_name(shown: str) -> str:
    """`a.b.KeyError: 'x'` to `KeyError`."""
    return shown.partition("\n")[0].partition(":")[0].rpartition(".")[2]
