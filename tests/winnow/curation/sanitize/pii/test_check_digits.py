from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.check_digits import luhn, stdnum


@given(st.text("0123456789", min_size=1, max_size=30))
def test_luhn_agrees_with_stdnum(digits: str) -> None:
    assert luhn(digits) is stdnum("luhn")(digits)


def test_options_reach_the_module() -> None:
    wrong_in_spain = "ES1112345678901234567890"
    remainder = int("12345678901234567890" + "142800") % 97
    account = f"ES{98 - remainder:02}{wrong_in_spain[4:]}"
    assert stdnum("iban", check_country=False)(account)
    assert not stdnum("iban")(account)
