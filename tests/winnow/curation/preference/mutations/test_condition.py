"""The opposite condition."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import condition

CASES = [
    ("x = a == b", ["x = a != b"]),
    ("x = a != b", ["x = a == b"]),
    ("x = a is b", ["x = a is not b"]),
    ("x = a is not b", ["x = a is b"]),
    ("x = a is  not b", ["x = a is b"]),
    ("x = a is (not b)", ["x = a is not (not b)", "x = a is (b)"]),
    ("x = a in items", ["x = a not in items"]),
    ("x = a not in items", ["x = a in items"]),
    ("x = a == b != é", ["x = a != b != é", "x = a == b == é"]),
    ("if a: pass", ["if not a: pass"]),
    ("if(a): pass", ["if(not a): pass"]),
    ("if not a: pass", ["if a: pass"]),
    ("if not(a): pass", ["if a: pass"]),
    ("if a or b: pass", ["if not (a or b): pass"]),
    ("if a < b: pass", []),
    ("while True: break", []),
    ("while a: break", ["while not a: break"]),
    ("if (n := a): pass", ["if (not (n := a)): pass"]),
    ("x = a if b else é", ["x = a if not b else é"]),
    ("x = 1if a else 2", ["x = 1if not a else 2"]),
    ("x = [y for y in items if y]", ["x = [y for y in items if not y]"]),
    ("x = not (a\n    .b)", ["x = (a\n    .b)"]),
    ("é = 'é'; x = not é", ["é = 'é'; x = é"]),
    (
        "if a:\n    pass\nelif b:\n    pass",
        ["if not a:\n    pass\nelif b:\n    pass", "if a:\n    pass\nelif not b:\n    pass"],
    ),
    ("assert a == 1, a == 2", ["assert a != 1, a == 2"]),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(condition.edits, statement) == made
