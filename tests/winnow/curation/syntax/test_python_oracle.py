"""Python's own tokenizer and parser say the same of files of the standard library."""

import ast
import io
import sysconfig
import tokenize
from itertools import accumulate
from pathlib import Path

import pytest

from winnow.curation.syntax import SyntaxReader

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = ["argparse.py", "datetime.py", "email/message.py", "json/decoder.py", "typing.py", "statistics.py"]
Spans = set[tuple[int, int]]


def spans_by_python(text: str) -> tuple[set[int], Spans, Spans]:
    """Visible characters of comments, docstrings, and other strings without interpolation."""
    starts = [0, *accumulate(len(line) for line in text.split("\n") for line in [line + "\n"])]
    comments: set[int] = set()
    strings: Spans = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = (starts[line - 1] + column for line, column in (token.start, token.end))
        if token.type == tokenize.COMMENT:
            comments.update(place for place in range(start, end) if not text[place].isspace())
        if token.type == tokenize.STRING:
            strings.add((start, end))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings: Spans = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            first, last = node.body[0].lineno, node.body[0].end_lineno
            assert last is not None
            docstrings |= {s for s in strings if starts[first - 1] <= s[0] and s[1] <= starts[last]}
    plain = {(a, b) for a, b in strings - docstrings if "f" not in text[a:b].lower().split(text[b - 1])[0]}
    return comments, docstrings, plain


@pytest.mark.parametrize("name", FILES)
def test_the_spans_are_those_of_python(reader: SyntaxReader, name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    comments, docstrings, plain = spans_by_python(text)
    spans = reader.regions(text, "python").spans
    ours: dict[str, Spans] = {"comment": set(), "docstring": set(), "string": set()}
    for region in spans:
        ours[region.kind].add((region.start, region.end))
    visible = {n for a, b in ours["comment"] for n in range(a, b) if not text[n].isspace()}
    assert visible == comments
    assert ours["docstring"] == docstrings
    assert plain <= ours["string"]
    assert plain
