"""Another operator, and nothing else."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import operator

CASES = [
    ("x = a + b", ["x = a - b"]),
    ("x = a - -b", ["x = a + -b"]),
    ("x = a * b", ["x = a + b"]),
    ("x = a ** -b", ["x = a * -b"]),
    ("x = a // b", ["x = a * b"]),
    ("x = a / b", ["x = a * b"]),
    ("x = a % b", ["x = a // b"]),
    ("x = '%d' % a", []),
    ("x = f'{a}%s' % a", []),
    ("x = a << 1 >> b", ["x = a << 1 << b", "x = a >> 1 >> b"]),
    ("x = a & b | a ^ b", ["x = a & b & a ^ b", "x = a | b | a ^ b", "x = a & b | a | b"]),
    ("é = 'é'; x = é + b", ["é = 'é'; x = é - b"]),
    ("x = (a) + (b)", ["x = (a) - (b)"]),
    ("x = (a +  # plus\n     b)", []),
    ("x = (\n    a\n    +\n    b)", ["x = (\n    a\n    -\n    b)"]),
    ("x = a \\\n    + b", ["x = a \\\n    - b"]),
    ("a += b", ["a -= b"]),
    ("a //= b", ["a *= b"]),
    ("a **= -b", ["a *= -b"]),
    ("items[a + 1] += b", ["items[a + 1] -= b", "items[a - 1] += b"]),
    ("x = a and b", ["x = a or b"]),
    ("x = a and b and é", ["x = a or b or é"]),
    ("x = (a)and(b)", ["x = (a)or(b)"]),
    ("x = (a and  # both\n     b)", []),
    ("x = a or b and é", ["x = a and b and é", "x = a or b or é"]),
    ("x = 'a and b' or 'a + b'", ["x = 'a and b' and 'a + b'"]),
    ("x = lambda y: y + 1", ["x = lambda y: y - 1"]),
    (
        "x = [y * y for y in items if y and a]",
        ["x = [y + y for y in items if y and a]", "x = [y * y for y in items if y or a]"],
    ),
    ("x = -a", []),
    ("x = f'{a + b}'", []),
    ("x = 'a' f'{a + b}' 'b'", []),
    ("x: 'a + b' = a", []),
    ("assert a, a + b", []),
    ("raise ValueError(a + b)", []),
    ("x = a @ b", []),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(operator.edits, statement) == made
