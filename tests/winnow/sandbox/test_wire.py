"""Laws of the encoding: what goes in comes out, and nothing else is a value."""

import math
from collections import Counter, OrderedDict, defaultdict, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.sandbox import wire

HASHABLE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text(st.characters())
    | st.binary()
    | st.fractions()
    | st.decimals(allow_nan=False)
    | st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3)),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=8,
)
VALUES = st.recursive(
    HASHABLE | st.sets(HASHABLE, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(HASHABLE, inner, max_size=3) | st.tuples(inner)
    ),
    max_leaves=12,
)


def shape(value):
    """Types too: 1, True and 1.0 are equal, -0.0 and 0.0 are."""
    if isinstance(value, list | tuple):
        return [type(value), *map(shape, value)]
    if isinstance(value, dict):
        return [dict, *((shape(k), shape(v)) for k, v in value.items())]
    return type(value), repr(value) if isinstance(value, float) else None


@given(VALUES)
def test_a_plain_value_comes_back_with_its_types(value: object):
    back = wire.decode(wire.encode(value))
    assert back == value
    assert shape(back) == shape(value)


def test_nan_and_infinity_come_back():
    back = wire.decode(wire.encode([math.nan, math.inf, -math.inf, -0.0]))
    assert math.isnan(back[0])
    assert [repr(x) for x in back[1:]] == ["inf", "-inf", "-0.0"]


class Always(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Colour(IntEnum):
    RED = 1


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Always(7), 7),
        (Colour.RED, 1),
        (Point(1, 2), (1, 2)),
        (Counter("aab"), {"a": 2, "b": 1}),
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (bytearray(b"x"), b"x"),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("1.50"), Decimal("1.50")),
    ],
)
def test_a_subclass_is_sent_as_its_base_without_its_own_equality(value: object, plain: object):
    back = wire.decode(wire.encode(value))
    assert type(back) is type(plain)
    assert back == plain
    assert wire.decode(wire.encode(Always(7))) != 8


class Anything:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None


@pytest.mark.parametrize(
    "value", [Anything(), len, int, iter([]), object(), [{1: Anything()}], memoryview(b"")]
)
def test_what_is_not_plain_is_refused(value: object):
    with pytest.raises(wire.WireError, match="cannot be sent"):
        wire.encode(value)


def test_depth_size_and_cycles_are_limited():
    cycle: list[object] = []
    cycle.append(cycle)
    wide: object = 0
    for _ in range(40):
        wide = [wide, wide]
    for value in (cycle, wide, "x" * (wire.LARGEST + 1), 1 << (8 * wire.LARGEST + 8)):
        with pytest.raises(wire.WireError, match="too"):
            wire.encode(value)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_value_or_refused(data: bytes):
    try:
        value = wire.decode(data)
    except wire.WireError:
        return
    assert isinstance(wire.encode(value), bytes)


@given(VALUES, st.data())
def test_a_value_cut_short_or_lengthened_is_refused(value: object, data: st.DataObject):
    whole = wire.encode(value)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for other in (whole[:cut], whole + b"N"):
        with pytest.raises(wire.WireError):
            wire.decode(other)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 5000,
        b"[\xff\xff\xff\xff",
        b"s\x00\x00\x00\x01\xff",
        b"{\x00\x00\x00\x01" + b"[\x00\x00\x00\x00" + b"N",
        b"<\x00\x00\x00\x01" + b"<\x00\x00\x00\x00",
        b"r" + b"N",
        b"r" + wire.encode((1, 2, 0)),
        b"Q" + wire.encode((1, 0)),
        b"D" + wire.encode("x"),
        b"D" + wire.encode([1]),
        b"",
    ],
)
def test_hostile_bytes_are_refused(data: bytes):
    with pytest.raises(wire.WireError):
        wire.decode(data)
