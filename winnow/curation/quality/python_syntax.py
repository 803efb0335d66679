"""Whether a text is Python, judged by the parser of the running version (3.11)."""

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass

from winnow.core.deep import on_empty_stack

SYNTAX = "python-syntax"
UNPARSEABLE = "python-unparseable"
TOO_LARGE = "too-large-to-parse"

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Fault:
    """Why a text is not Python: the rule, and where in the text, in code points, half-open."""

    rule: str
    start: int
    end: int


def python_fault(text: str, max_bytes: int) -> Fault | None:
    """The first fault of a text as a Python file or a fragment of one; None where it parses.

    A syntax error spans its line; what the parser cannot take at all (a NUL byte, nesting too deep) and a
    text of more than `max_bytes` in UTF-8 span the whole. A byte order mark and common indentation pass.
    """
    whole = (0, len(text))
    if len(text) > max_bytes or len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        return Fault(TOO_LARGE, *whole)
    if "\0" in text:
        return Fault(UNPARSEABLE, *whole)
    try:
        on_empty_stack(lambda: _parse(text.removeprefix("\ufeff")))
    except SyntaxError as error:
        return Fault(SYNTAX, *_line_span(text, error.lineno or 1))
    except (RecursionError, MemoryError, ValueError):
        return Fault(UNPARSEABLE, *whole)
    return None


def _parse(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except IndentationError:
            dedented = textwrap.dedent(text)
            if dedented == text:
                raise
            ast.parse(dedented)


def _line_span(text: str, line: int) -> tuple[int, int]:
    start = 0
    for number, match in enumerate(_LINE_END.finditer(text), 1):
        if number == line:
            return start, match.start()
        start = match.end()
    return start, len(text)
