import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.check_digits import luhn
from winnow.curation.sanitize.pii.credit_card import CREDIT_CARD, UNNAMED_CARD

FAKE = Faker()


def found(text: str) -> list[str]:
    spans = {span for detector in (CREDIT_CARD, UNNAMED_CARD) for span in detector.find(text)}
    return [text[start:end] for start, end in sorted(spans)]


@st.composite
def cards(draw: st.DrawFn) -> str:
    FAKE.seed_instance(draw(st.integers(0, 2**32)))
    kinds = ["visa13", "visa16", "mastercard", "amex", "discover", "jcb16", "jcb15", "diners", "maestro"]
    return str(FAKE.credit_card_number(draw(st.sampled_from(kinds))))


@given(cards(), st.sampled_from(["my card is {}.", "{{'cardNumber': '{}'}}", "Visa: {}, thanks", "卡号{}"]))
def test_a_card_that_is_called_one_is_found(card: str, sentence: str) -> None:
    text = sentence.format(card)
    assert found(text) == [card]


@given(cards(), st.integers(0, 11), st.integers(1, 9))
def test_with_one_digit_changed_it_is_not(card: str, place: int, more: int) -> None:
    changed = card[:place] + str((int(card[place]) + more) % 10) + card[place + 1 :]
    assert not luhn(changed)
    assert found(f"my card is {changed}.") == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4012888888881881 4012-8888-8888-1881", ["4012888888881881", "4012-8888-8888-1881"]),
        ("paid with 3782 822463 10005", ["3782 822463 10005"]),
        ("row,4012888888881881,12/30", ["4012888888881881"]),
        ("paid 5356890925363056 today", ["5356890925363056"]),
        ("6759649826438453", ["6759649826438453"]),
    ],
)
def test_the_usual_lengths_and_fields_need_no_word(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        'assert luhn_valid("4539148803436467")',
        'card = "4242424242424242"  # Stripe',
        "test card: 4012888888881881",
        "0.4012888888881881",
        "a4012888888881881 4012888888881881b",
        "17-4012888888881881",
        "timestamp 1700000000000",
        "id = 6304000000000000000",
        "1234567890123456",
        "2 ** 62 == 4611686018427387904",
        "uuid 4012-8888-8888-1881-0000",
    ],
)
def test_other_numbers_and_test_cards_stay(text: str) -> None:
    assert found(text) == []
