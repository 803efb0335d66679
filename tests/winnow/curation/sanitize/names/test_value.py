import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.names.value import name_at


def value(text, trust=2):
    span = name_at(text, 0, trust)
    return None if span is None else text[slice(*span)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Siobhan Kovalenko wrote this", "Siobhan Kovalenko"),
        ("Siobhan Kovalenko order=4", "Siobhan Kovalenko"),
        ("siobhan kovalenko role=x", "siobhan kovalenko"),
        ("Prof. Dr. Siobhan Kovalenko", "Siobhan Kovalenko"),
        ("Univ.Prof. Siobhan Kovalenko", "Siobhan Kovalenko"),
        ("Ludwig van Oosterhuis. All rights", "Ludwig van Oosterhuis"),
        ("王伟 and I", "王伟"),
        ("محمد علي", "محمد علي"),
        ("अमित शर्मा", "अमित शर्मा"),
        ("佐藤 太郎", "佐藤 太郎"),
    ],
)
def test_a_name_reaches_to_the_next_clause(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "the Django Team",
        "Apache Kafka",
        "4711",
        "none",
        "admin",
        "UNKNOWN",
        "x",
        "",
        "Platform Team",
        "kovalenko",
    ],
)
def test_what_names_nobody_is_refused(text):
    assert value(text) is None


def test_less_trust_asks_for_more():
    assert value("Kovalenko", 2) == "Kovalenko"
    assert value("Kovalenko", 1) is None
    assert value("Violet Kovalenko", 0) == "Violet Kovalenko"
    assert value("Fast Kovalenko", 1) == "Fast Kovalenko"
    assert value("Fast Kovalenko", 0) is None


@given(st.text(max_size=80), st.integers(0, 2))
def test_a_span_lies_in_the_text_and_begins_and_ends_with_a_word(text, trust):
    span = name_at(text, 0, trust)
    if span is not None:
        start, end = span
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
