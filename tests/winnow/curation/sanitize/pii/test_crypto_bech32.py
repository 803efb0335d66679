import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.crypto_bech32 import CRYPTO_BECH32

ADDRESSES = [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
]
"""From BIP 173 and BIP 350."""


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in CRYPTO_BECH32.find(text)]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_found_in_either_case(address: str) -> None:
    assert found(f"pay {address}, please") == [address]
    assert found(f"pay {address.upper()}, please") == [address.upper()]
    assert found(f"pay {address[:-4]}{address[-4:].upper()}") == []


@given(st.sampled_from(ADDRESSES), st.integers(3, 40), st.sampled_from("qpzry9x8gf2tvdw0s3jn54khce6mua7l"))
def test_with_one_letter_changed_it_is_not(address: str, place: int, letter: str) -> None:
    changed = address[:place] + letter + address[place + 1 :]
    assert found(f"pay {changed}") == ([address] if changed == address else [])
