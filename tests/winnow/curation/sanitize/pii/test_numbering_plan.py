import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.numbering_plan import (
    is_fiction,
    possible_abroad,
    valid_abroad,
    valid_at_home,
)


@given(
    st.sampled_from(["US", "GB", "FR", "DE", "CH", "TR", "PH", "ZA", "JP", "BR", "CN"]),
    st.integers(0, 10**11),
)
def test_what_libphonenumber_finds_valid_in_a_large_country_is_valid(region: str, number: int) -> None:
    written = f"0{number}"
    try:
        parsed = phonenumbers.parse(written, region)
    except phonenumbers.NumberParseException:
        return
    if phonenumbers.is_valid_number_for_region(parsed, region):
        national = phonenumbers.national_significant_number(parsed)
        assert valid_at_home(national)
        assert valid_abroad(f"+{parsed.country_code}{national}")


@pytest.mark.parametrize("digits", ["0123", "99999999999999", "", "00000000000"])
def test_what_no_plan_holds_is_not(digits: str) -> None:
    assert not valid_at_home(digits)
    assert not valid_at_home(digits, trunk=True)


def test_without_a_country_nothing_is_abroad() -> None:
    assert not valid_abroad("+999 1234567")
    assert not possible_abroad("12")


@pytest.mark.parametrize(
    "digits", ["5550123", "2125550123", "12125550199", "442079460123", "07700900123", "0491570156"]
)
def test_ranges_for_films(digits: str) -> None:
    assert is_fiction(digits)
