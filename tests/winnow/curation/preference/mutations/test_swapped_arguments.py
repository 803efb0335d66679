"""The first two arguments of a call in each other's place."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import swapped_arguments

CASES = [
    ("f(a, b)", ["f(b, a)"]),
    ("f(a, b, é)", ["f(b, a, é)"]),
    ("f((a), b)", ["f((b), a)"]),
    ("f(a, (b, é))", ["f((b, é), a)"]),
    ("f(a, a)", []),
    ("f(a)", []),
    ("f(a, *items)", []),
    ("f(*items, a)", []),
    ("f(a, k=b)", []),
    ("f(a, b, *items, k=é, **k)", ["f(b, a, *items, k=é, **k)"]),
    ("f(a,  # first\n  b)", ["f(b,  # first\n  a)"]),
    ("f(\n    a,\n    b,\n)", ["f(\n    b,\n    a,\n)"]),
    ("f('é', b)", ["f(b, 'é')"]),
    ("f(lambda: a, b)", ["f(b, lambda: a)"]),
    ("f(n := a, b)", ["f(b, n := a)"]),
    ("f(g(a, b), é)", ["f(é, g(a, b))", "f(g(b, a), é)"]),
    ("f(a, (yield))", []),
    ("raise ValueError(a, b)", []),
    ("x = f'{g(a, b)}'", []),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(swapped_arguments.edits, statement) == made
