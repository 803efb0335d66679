import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.us_ssn import US_SSN, is_issued

FAKE = Faker("en_US")


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in US_SSN.find(text)]


@given(
    st.integers(0, 2**32),
    st.sampled_from("-. "),
    st.sampled_from(["SSN {}", "{}", "my social security no. is {}."]),
)
def test_a_number_is_found_where_it_is_announced_or_alone(seed: int, between: str, sentence: str) -> None:
    FAKE.seed_instance(seed)
    number = FAKE.ssn().replace("-", between)
    if is_issued(number):
        assert found(sentence.format(number)) == [number]


@given(
    st.from_regex(
        r"(000|666|9[0-9]{2})-[0-9]{2}-[0-9]{4}|[0-9]{3}-00-[0-9]{4}|[0-9]{3}-[0-9]{2}-0000", fullmatch=True
    )
)
def test_ranges_that_were_never_issued_stay(number: str) -> None:
    assert found(f"SSN {number}") == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ask for 536-22-8771 here", ["536-22-8771"]),
        ("userSsn = '536228771'", ["536228771"]),
        ("536228771", ["536228771"]),
        ("ssns: 536-228771 53622-8771", ["536-228771", "53622-8771"]),
    ],
)
def test_dashes_need_no_word(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "offset 536228771",
        "536.22.8771 is a version",
        "078-05-1120 and 123-45-6789",
        "part 536-22-8771-2",
        "0536-22-8771",
        "SSN 111-11-1111",
    ],
)
def test_other_numbers_and_published_examples_stay(text: str) -> None:
    assert found(text) == []
