import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phonenumbers import PhoneNumberFormat, PhoneNumberType

from winnow.curation.sanitize.pii.numbering_plan import is_fiction
from winnow.curation.sanitize.pii.phone_number import PHONES

_KINDS = (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE)
_EXAMPLES = [
    phonenumbers.example_number_for_type(region, kind)
    for region in sorted(phonenumbers.SUPPORTED_REGIONS)
    for kind in _KINDS
]


def abroad(number: phonenumbers.PhoneNumber) -> str:
    return str(phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL))


def at_home(number: phonenumbers.PhoneNumber) -> str:
    return str(phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL))


def digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


NUMBERS = [n for n in _EXAMPLES if n is not None and not is_fiction(digits(abroad(n)))]
AT_HOME = sorted(
    {w for w in map(at_home, NUMBERS) if len(digits(w)) > 7 and digits(w) not in "0123456789" * 2}
)


def found(text: str) -> list[str]:
    spans = {span for detector in PHONES for span in detector.find(text)}
    return [text[start:end] for start, end in sorted(spans)]


@given(st.sampled_from(NUMBERS), st.sampled_from(["{}", "it is {}.", '"{}"', "<{}>", "{}-Fax", "a,{},b"]))
def test_a_number_with_its_country_code_needs_no_word(
    number: phonenumbers.PhoneNumber, sentence: str
) -> None:
    written = abroad(number)
    if len(digits(written)) > 7:
        assert found(sentence.format(written)) == [written]


ANNOUNCED = [
    "My phone number is {}.",
    '{{"phone": "{}"}}',
    "HOME_TEL = '{}'",
    "Mobile:\n{}",
    "Mon téléphone : {}",
    "电话{}",
    "Please call me at {}!",
]


@given(st.sampled_from(AT_HOME), st.sampled_from(ANNOUNCED))
def test_a_number_written_as_at_home_is_found_behind_a_word(written: str, sentence: str) -> None:
    if len(digits(written)) > 8:
        assert found(sentence.format(written)) == [written]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("write (312) 515-2239 down", ["(312) 515-2239"]),
        ("write 312-515-2239 down", ["312-515-2239"]),
        ("986-291-2294 x751 is mine", ["986-291-2294 x751"]),
        ("in Paris 01 84 17 61 18 or 030 2345678 in Berlin", ["030 2345678"]),
        ("dial 0044 20 7946 1234 from here", ["0044 20 7946 1234"]),
        ("call 030 2345678 or 0301234512", ["030 2345678", "0301234512"]),
        ("20 7946 1234-Office", ["20 7946 1234"]),
        ("T: 020 7946 1234", ["020 7946 1234"]),
        ("02121234567", ["02121234567"]),
        ("is 415 671 2345 your phone?", ["415 671 2345"]),
    ],
)
def test_a_number_at_home_by_its_form_or_its_neighbours(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "x = 2147483647; y = 1234567890; z = 99999999999",
        "2015-12-22 04:34:22 and 20151222 043422",
        "phone call on 2015-12-22, or 12/22/2015",
        "call 212-555-0123 or (415) 555-0199",
        "0 1 2 3 4 5 6 7 8 9",
        "1.000 2.500 3.750 4.125",
        "0x0412345678 1e0412345678 $0412345678",
        "M415.555 212.986 312.515 223.9z",
        "123e4567-e89b-12d3-a456-426614174000",
        "192.168.100.200",
        "01 02 03 04 05 06 07 08",
        "a + 18082050000 * b",
        "ISBN 0-306-40615-2",
        "pp. 1286-1304",
        "phone model 536-22-8771",
        "Copyright 2001-2004, 2006, 2010-2012",
        "call stack 030 2345678",
        "+1.5, +123, +12345",
        "phone 111-1111-111",
        "version 030.234.5678",
        "call p. 181-195 (1968), or 056103 (2005)",
        "number 0.857 438 2329 and 123 3.1416 789",
        "Boston, MA 02110-1301",
        "setCell(e){2097152&t}",
        "EIN 04-2103594, ABN 83 914 571 673, 03.08.16.0001.01",
    ],
)
def test_dates_versions_counts_and_numbers_of_films_stay(text: str) -> None:
    assert found(text) == []


@given(st.text("0123456789 -().+x/\n", max_size=80))
def test_a_hit_has_seven_digits_at_least_and_is_cut_out_of_no_other_number(text: str) -> None:
    for detector in PHONES:
        for start, end in detector.find(text):
            assert len(digits(text[start:end])) >= 7
            assert not text[start - 1 : start].isdigit()
            assert not text[end : end + 1].isdigit()
