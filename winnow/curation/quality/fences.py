"""Fenced code blocks of Markdown (CommonMark 0.31, section 4.5)."""

import re
from collections.abc import Iterator

_OPEN = re.compile(r"^ {0,8}(?:> ?)?(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)\n", re.MULTILINE)
_PYTHON = re.compile(r"\{?\.?(?:python3?|py3?)\b(?![-+])", re.IGNORECASE)
_NOT_A_FILE = re.compile(r"^\s*(?:>>> ?|In \[\d+\]:|[%!]\w|\$ )", re.MULTILINE)


def python_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the bodies of Python blocks, a block that is never closed through the end of the text.

    Sessions (doctest, IPython, shell) are left out: they hold prompts and output. So are quoted blocks.
    """
    at = 0
    while opening := _OPEN.search(text, at):
        fence = opening["fence"]
        closing = re.compile(rf"^ {{0,8}}{fence[0]}{{{len(fence)},}}[ \t]*$", re.MULTILINE)
        closed = closing.search(text, opening.end())
        end = closed.start() if closed else len(text)
        quoted = ">" in text[opening.start() : opening.start("fence")]
        is_python = not quoted and _PYTHON.match(opening["info"])
        if is_python and not _NOT_A_FILE.search(text, opening.end(), end):
            yield opening.end(), end
        at = closed.end() if closed else len(text)
