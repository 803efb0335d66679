import pytest

from winnow.curation.sources.config import Filter
from winnow.curation.sources.filters import passes

ROW = {"stars": 12, "lang": "py", "fork": False, "score": 0.5, "repo": {"owner": "a"}, "a.b": 1, "gone": None}


@pytest.mark.parametrize(
    ("field", "op", "value", "expected"),
    [
        ("stars", ">=", 12, True),
        ("stars", ">", 12, False),
        ("stars", "<", 12.5, True),
        ("stars", "==", 12.0, True),
        ("stars", "==", "12", False),
        ("stars", "!=", "12", False),
        ("stars", "!=", 11, True),
        ("score", "<=", 0.5, True),
        ("lang", "in", ("js", "py"), True),
        ("lang", "in", ("js",), False),
        ("lang", "<", "rb", True),
        ("fork", "==", False, True),
        ("fork", "==", 0, False),
        ("stars", "in", (True, 12), True),
        ("repo.owner", "==", "a", True),
        ("repo.owner.name", "==", "a", False),
        ("a.b", "==", 1, True),
        ("absent", "!=", 1, False),
        ("gone", "!=", 1, False),
    ],
)
def test_a_condition(field: str, op: str, value: object, expected: bool):
    assert passes([Filter(field=field, op=op, value=value)], ROW) is expected


def test_all_conditions_must_hold_and_none_always_do():
    first, second = Filter(field="stars", op=">", value=1), Filter(field="lang", op="==", value="js")
    assert passes([first], ROW)
    assert not passes([first, second], ROW)
    assert passes([], {})
