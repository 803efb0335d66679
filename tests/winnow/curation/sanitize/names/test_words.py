import pytest

from winnow.curation.sanitize.names.words import is_common, kind, load


@pytest.mark.parametrize(
    "word", ["parse", "parses", "parsed", "parsing", "stopped", "quickly", "queries", "Returns"]
)
def test_an_inflected_word_is_as_common_as_its_base(word):
    assert kind(word) == "common"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Kafka", "term"),
        ("Berlin", "term"),
        ("Siobhan", "given"),
        ("José", "given"),
        ("Mark", "either"),
        ("Kovalenko", "unknown"),
    ],
)
def test_a_word_is_looked_up_whatever_its_case_and_accents(word, expected):
    assert kind(word) == kind(word.lower()) == expected


def test_the_lists_hold_lower_case_words_once():
    for name in ("common", "terms", "given"):
        words = load(name)
        assert len(words) > 1000
        assert all(word == word.lower() for word in words)
    assert not load("terms") & load("common")


def test_no_inflection_is_listed_beside_its_base():
    """The list is kept short by what `is_common` derives."""
    assert is_common("parsing")
    assert "parsing" not in load("common")
