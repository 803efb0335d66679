"""One too few or too far."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import off_by_one

CASES = [
    ("x = range(a)", ["x = range(a - 1)"]),
    ("x = range(1, a)", ["x = range(1, a - 1)"]),
    ("x = range(1, a, 2)", ["x = range(1, a - 1, 2)"]),
    ("x = range(a or b)", ["x = range((a or b) - 1)"]),
    ("x = range((a or b))", ["x = range(((a or b) - 1))"]),
    ("x = range(*items)", []),
    ("x = range()", []),
    ("x = items.range(a)", []),
    ("x = len(items)", ["x = (len(items) - 1)"]),
    ("x = len(items) * 2", ["x = (len(items) - 1) * 2"]),
    ("x = len(y for y in items)", ["x = (len((y for y in items)) - 1)"]),
    ("x = len(a, b)", []),
    ("x = items[0]", ["x = items[1]"]),
    ("x = items[-1]", ["x = items[-2]"]),
    ("x = items[True]", []),
    ("x = items['k']", []),
    ("x = items[not 1]", []),
    ("x = items[a]", []),
    ("items[0] = a", []),
    ("x = items[1:a]", ["x = items[1 + 1:a]", "x = items[1:a + 1]"]),
    ("x = items[a if b else 1:]", ["x = items[(a if b else 1) + 1:]"]),
    ("x = items[:-1]", ["x = items[:(-1) + 1]"]),
    ("x = items[::2]", []),
    ("é = 'é'; x = items[0]", ["é = 'é'; x = items[1]"]),
    ("x = range(  # stop\n    a)", ["x = range(  # stop\n    a - 1)"]),
    ("x = f'{items[0]}'", []),
    ("x = items[0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff]", []),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(off_by_one.edits, statement) == made
