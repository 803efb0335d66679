"""Another constant."""

import pytest
from python_functions import faults

from winnow.curation.preference.mutations import constant

CASES = [
    ("x = 1", ["x = 2"]),
    ("x = -1", ["x = -2"]),
    ("x = 0x10", ["x = 17"]),
    ("x = 1_000", ["x = 1001"]),
    ("x = 0.5", ["x = 1.5"]),
    ("x = 1e999", []),
    ("x = 10 ** 3", ["x = 11 ** 3", "x = 10 ** 4"]),
    ("x = True", ["x = False"]),
    ("x = None", []),
    ("x = ...", []),
    ("x = 2j", []),
    ("x = b'x'", []),
    ("x = 'ab'", ["x = 'abb'"]),
    ("x = ''", ["x = ' '"]),
    ("x = 'a' \"b\"", ["x = 'abb'"]),
    ("x = ('a'  # first\n     'b')", ["x = ('abb')"]),
    ("x = u'é'", ["x = 'éé'"]),
    ("x = r'\\d'", ["x = '\\\\dd'"]),
    ("x = '\\ud800'", ["x = '\\ud800\\ud800'"]),
    ("x = '''a\nb'''", ["x = 'a\\n    bb'"]),
    ("é = 'é'; x = 'é'", ["é = 'éé'; x = 'é'", "é = 'é'; x = 'éé'"]),
    ("'stands alone'", []),
    ("x = 'long long long long long long long long long '", []),
    ("x = f'{1} 2'", []),
    ("x: Literal['a'] = a", []),
    ("def inner(y=1):\n    'text'\n    return y", ["def inner(y=2):\n    'text'\n    return y"]),
    ("raise ValueError('no')", []),
    ("x = a[1:2]", ["x = a[2:2]", "x = a[1:3]"]),
    ("return'a'", ["return'aa'"]),
    ("x = 0if a else 1", ["x = 1if a else 1", "x = 0if a else 2"]),
    (
        "match a:\n    case 1 | 'b': pass",
        ["match a:\n    case 2 | 'b': pass", "match a:\n    case 1 | 'bb': pass"],
    ),
]


@pytest.mark.parametrize(("statement", "made"), CASES)
def test_the_faults_of_a_statement(statement: str, made: list[str]):
    assert faults(constant.edits, statement) == made
