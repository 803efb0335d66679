import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.iban_code import IBAN_CODE

LOCALES = ["en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pl_PL", "sv_SE", "fi_FI", "pt_PT"]
FAKERS = [Faker(locale) for locale in LOCALES]


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in IBAN_CODE.find(text)]


@st.composite
def accounts(draw: st.DrawFn) -> str:
    fake = draw(st.sampled_from(FAKERS))
    fake.seed_instance(draw(st.integers(0, 2**32)))
    return str(fake.iban())


def in_fours(account: str, between: str) -> str:
    return between.join(account[at : at + 4] for at in range(0, len(account), 4))


@given(
    accounts(), st.sampled_from(["", " ", "-"]), st.sampled_from(["{} to another", "iban={};", "({})", "{}"])
)
def test_an_account_is_found_whole_in_any_grouping(account: str, between: str, sentence: str) -> None:
    written = in_fours(account, between)
    assert found(sentence.format(written)) == [written]
    assert found(sentence.format(written).lower()) == [written.lower()]


@given(accounts(), st.integers(2, 14), st.integers(1, 9))
def test_with_one_digit_changed_it_is_not(account: str, place: int, more: int) -> None:
    digit = account[place]
    changed = str((int(digit) + more) % 10) if digit.isdigit() else "AB"[digit == "A"]
    assert found(f"IBAN {account[:place]}{changed}{account[place + 1 :]}") == []


@pytest.mark.parametrize(
    "text",
    [
        "CZ65 0800 0000 1920 0014 539",
        "xGB26YVOK09234647792923",
        "GB26YVOK092346477929230",
        "Gb26YVOK09234647792923",
        "sha512-MT84MALT011000012345MTLCAST001S0x",
        "be12 is a register and AD00 another",
    ],
)
def test_what_is_cut_glued_or_mixed_stays(text: str) -> None:
    assert found(text) == []


def test_the_word_behind_an_account_is_not_taken() -> None:
    assert found("GB26 YVOK 0923 4647 7929 23 AB12") == ["GB26 YVOK 0923 4647 7929 23"]
