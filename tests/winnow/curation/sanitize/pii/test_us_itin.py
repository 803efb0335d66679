import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.us_itin import US_ITIN

FAKE = Faker("en_US")


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in US_ITIN.find(text)]


@given(st.integers(0, 2**32), st.sampled_from(["ITIN {}", "{}", "file under {}."]))
def test_a_number_is_found(seed: int, sentence: str) -> None:
    FAKE.seed_instance(seed)
    number = FAKE.itin()
    assert found(sentence.format(number)) == [number]


def test_in_fewer_groups_it_has_to_be_announced_or_alone() -> None:
    assert found("911-701234 91170-1234") == ["911-701234", "91170-1234"]
    assert found("itin=911701234") == ["911701234"]
    assert found("offset 911701234") == []


@pytest.mark.parametrize(
    "number", ["811-70-1234", "911-49-1234", "911-66-1234", "911-89-1234", "911-93-1234"]
)
def test_other_areas_and_groups_stay(number: str) -> None:
    assert found(f"ITIN {number}") == []
