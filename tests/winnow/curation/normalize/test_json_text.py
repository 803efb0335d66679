import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.normalize.json_text import dump_json, is_json_object, parse_json
from winnow.curation.normalize.rules import MAX_DEPTH, ParkError

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_is_written_again_means_the_same(value: object):
    assert json.loads(dump_json(parse_json(json.dumps(value)))) == value


@pytest.mark.parametrize(
    "literal", ["1.10", "1e999", "-0.0", "1E5", "9" * 5000, "0.1000000000000000055511151"]
)
def test_numbers_keep_their_digits(literal: str):
    assert dump_json(parse_json(f"[{literal}]")) == f"[{literal}]"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "malformed-json"),
        ("{", "malformed-json"),
        ("{} {}", "malformed-json"),
        ("NaN", "malformed-json"),
        ('{"a": -Infinity}', "malformed-json"),
        ('"a\nb"', "malformed-json"),
        ("{'a': 1}", "malformed-json"),
        ("\ufeff{}", "malformed-json"),
        ('{"a": 1, "a": 1}', "duplicate-json-key"),
        ('[{"b": {"a": 1, "\\u0061": 2}}]', "duplicate-json-key"),
        ("[" * 5000 + "]" * 5000, "too-deep"),
        ('{"a":' * 200 + "1" + "}" * 200, "too-deep"),
    ],
)
def test_what_is_not_plain_json_is_parked_under_its_rule(text: str, rule: str):
    with pytest.raises(ParkError) as error:
        parse_json(text)
    assert error.value.rule == rule


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_the_limit_of_depth_is_exact(opening: str):
    closing = "]" if opening == "[" else "}"
    parse_json(opening * (MAX_DEPTH - 1) + "[]" + closing * (MAX_DEPTH - 1))
    with pytest.raises(ParkError):
        parse_json(opening * MAX_DEPTH + "[]" + closing * MAX_DEPTH)


def test_wide_is_not_deep():
    parse_json("[" + ",".join(["[]"] * 10_000) + "]")


@pytest.mark.parametrize(
    ("text", "expected"), [('{"a":1}', True), ("[]", False), ('"{}"', False), ("{", False)]
)
def test_an_object_is_told_from_the_rest(text: str, expected: bool):
    assert is_json_object(text) is expected
