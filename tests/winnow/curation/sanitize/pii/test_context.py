import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.context import Words, after_span, around, before_span, stands_alone


def words_before(text: str) -> str:
    at = text.index("#")
    return before_span(text, at)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("my phone: #", " my phone "),
        ("userPhoneNumber = #", " user phone number "),
        ("HOME_TEL=#", " home tel "),
        ("IPs and SSNs: #", " ips and ssns "),
        ("Phone:\n#", " phone "),
        ("a phone\nmy id #", " my id "),
        ("a phone\n\n  - #", " a phone "),
        ("电话 #", " 电话 "),
        ("#", " "),
    ],
)
def test_the_words_before_come_from_the_line_or_from_the_one_above(text: str, words: str) -> None:
    assert words_before(text) == words


def test_a_word_that_the_reach_cuts_says_nothing() -> None:
    text = "telephone number 5"
    assert before_span(text, text.index("5"), 13) == " number "


def test_the_words_behind_end_with_the_line() -> None:
    assert after_span("5 is my phone\nfax", 1) == " is my phone "


@pytest.mark.parametrize(
    ("words", "said", "is_among"),
    [
        ("phone", " a phone ", True),
        ("phone", " a telephone ", False),
        ("call_me", " please call me ", True),
        ("call_me", " call stack of me ", False),
        ("电话", " 我的电话是 ", True),
        ("전화", " 전화는 ", True),
        ("téléphone", " le téléphone ", True),
    ],
)
def test_words_are_whole_but_where_a_script_has_no_spaces(words: str, said: str, is_among: bool) -> None:
    assert Words(words).among(said) is is_among


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=50))
def test_any_text_has_words_around(before: str, value: str, after: str) -> None:
    words = around(before + value + after, len(before), len(before) + len(value))
    assert "\n" not in words
    assert words == words.lower()


@pytest.mark.parametrize(
    ("text", "alone"),
    [("123", True), (" 123, 45-6\n", True), ("id 123", False), ("123" + " " * 80, False), ("a", False)],
)
def test_a_field_holds_numbers_and_nothing_else(text: str, alone: bool) -> None:
    at = text.find("123")
    assert stands_alone(text, max(at, 0), max(at, 0) + 3 if at >= 0 else 0) is alone
