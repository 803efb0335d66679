"""A bound that takes in its end, or leaves it out."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import bound

CASES = [
    ("x = a < b", ["x = a <= b"]),
    ("x = a<=b", ["x = a<b"]),
    ("x = a > b", ["x = a >= b"]),
    ("x = a >= b", ["x = a > b"]),
    ("x = 0 < a <= b < 9", ["x = 0 <= a <= b < 9", "x = 0 < a < b < 9", "x = 0 < a <= b <= 9"]),
    ("x = a == b", []),
    ("x = a << b", []),
    ("x = (a)<(b)", ["x = (a)<=(b)"]),
    ("é = 'é<'; x = é < b", ["é = 'é<'; x = é <= b"]),
    ("x = (a <  # <=\n     b)", []),
    ("x = a \\\n    < b", ["x = a \\\n    <= b"]),
    ("while (n := len(items)) > 3: items.pop()", ["while (n := len(items)) >= 3: items.pop()"]),
    (
        "match a:\n    case [x, *_] if x < 1:\n        pass",
        ["match a:\n    case [x, *_] if x <= 1:\n        pass"],
    ),
    (
        "x = [y for y in items if y < 1 if y > 0]",
        ["x = [y for y in items if y <= 1 if y > 0]", "x = [y for y in items if y < 1 if y >= 0]"],
    ),
    ("x = f'{a < b}'", []),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(bound.edits, statement) == made
