import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.crypto_ethereum import CRYPTO_ETHEREUM, checksummed

ADDRESSES = st.text("0123456789abcdef", min_size=40, max_size=40).filter(lambda digits: len(set(digits)) > 6)


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in CRYPTO_ETHEREUM.find(text)]


@given(ADDRESSES)
def test_a_checksum_needs_no_word(digits: str) -> None:
    wallet = f"0x{checksummed(digits)}"
    assert found(f"send it to {wallet}!") == ([wallet] if wallet[2:] not in (digits, digits.upper()) else [])


@given(ADDRESSES, st.integers(0, 39))
def test_with_one_letter_in_the_other_case_it_is_no_address(digits: str, place: int) -> None:
    marked = checksummed(digits)
    changed = marked[:place] + marked[place].swapcase() + marked[place + 1 :]
    mixed = changed not in (changed.lower(), changed.upper())
    assert found(f"send it to 0x{changed}!") == ([f"0x{changed}"] if mixed and changed == marked else [])


@given(ADDRESSES)
def test_in_one_case_a_word_has_to_name_it(digits: str) -> None:
    assert found(f"ETH wallet: 0x{digits}") == [f"0x{digits}"]
    assert found(f"at 0x{digits} in memory") == []


@pytest.mark.parametrize(
    "address",
    ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
)
def test_the_examples_of_the_standard(address: str) -> None:
    assert checksummed(address.lower()) == address


@pytest.mark.parametrize(
    "text", ["wallet 0x" + "0" * 40, "wallet 0x" + "a1" * 32, "wallet " + "a1b2c3d4e5" * 4]
)
def test_zeros_hashes_and_bare_digits_stay(text: str) -> None:
    assert found(text) == []
