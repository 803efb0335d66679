"""A statement left out."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import Edit, FunctionText, dropped_statement

CASES = [
    ("f(a)", ["pass"]),
    ("f(a); a.b()", ["pass; a.b()", "f(a); pass"]),
    ("'text'", []),
    ("a", []),
    ("x = 1", []),
    ("x = 1\nx = 2", ["x = 1\npass"]),
    ("a = 1", ["pass"]),
    ("items[0] = a", ["pass"]),
    ("a.b = a", ["pass"]),
    ("x, y = a, b", ["pass"]),
    ("a += 1", ["pass"]),
    ("del items[0]", ["pass"]),
    ("raise ValueError(a)", ["pass"]),
    ("return b", ["pass"]),
    ("return", []),
    ("yield a", ["pass"]),
    ("if a: b = 1", ["pass", "if a: pass"]),
    (
        "if a:\n    b = 1\nelse:\n    f(b)",
        ["if a:\n    pass\nelse:\n    f(b)", "if a:\n    b = 1\nelse:\n    pass"],
    ),
    (
        "if a:\n    b = 1\nelif b:\n    b = 2",
        [
            "if a:\n    pass\nelif b:\n    b = 2",
            "if a:\n    b = 1\npass",
            "if a:\n    b = 1\nelif b:\n    pass",
        ],
    ),
    ("for x in items: f(x)", ["for x in items: pass"]),
    (
        "try:\n    f(a)\nexcept OSError:\n    raise",
        ["try:\n    pass\nexcept OSError:\n    raise", "try:\n    f(a)\nexcept OSError:\n    pass"],
    ),
    ("with f(a) as h:\n    h.g()", ["with f(a) as h:\n    pass"]),
    ("é = 'é'; é = 'e'; f(é)", ["pass; é = 'e'; f(é)", "é = 'é'; pass; f(é)", "é = 'é'; é = 'e'; pass"]),
    ("f(a,\n  b)  # note", ["pass  # note"]),
    ("import os", []),
    ("pass", []),
    ("def inner():\n    f(a)", ["def inner():\n    pass"]),
    ("global g\ng = 1", []),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(dropped_statement.edits, statement) == made


def test_the_last_statement_of_a_function_stays():
    assert list(dropped_statement.edits(FunctionText("def f(a):\n    f(a)\n    return a"))) == [
        Edit(14, 18, "pass")
    ]
    assert list(dropped_statement.edits(FunctionText("def f(a): return a"))) == []
