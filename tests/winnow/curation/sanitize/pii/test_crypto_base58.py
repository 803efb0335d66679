import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii.crypto_base58 import CRYPTO_BASE58

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in CRYPTO_BASE58.find(text)]


def address(version: bytes, key: bytes) -> str:
    payload = version + key
    raw = payload + hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    number, letters = int.from_bytes(raw, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        letters = ALPHABET[rest] + letters
    return "1" * (len(raw) - len(raw.lstrip(b"\0"))) + letters


KEYS = st.binary(min_size=20, max_size=20).filter(lambda key: len(set(key)) > 8)
VERSIONS = [b"\x00", b"\x05", b"\x30", b"\x32", b"\x1e", b"\x4c", b"\x41", b"\x1c\xb8"]


@given(st.sampled_from(VERSIONS), KEYS)
def test_an_address_is_found(version: bytes, key: bytes) -> None:
    wallet = address(version, key)
    assert found(f"donate: {wallet}.") == [wallet]


@given(st.sampled_from(VERSIONS), KEYS, st.integers(1, 20), st.sampled_from(ALPHABET))
def test_with_one_letter_changed_it_is_not(version: bytes, key: bytes, place: int, letter: str) -> None:
    wallet = address(version, key)
    changed = wallet[:place] + letter + wallet[place + 1 :]
    assert found(f"donate: {changed}.") == ([wallet] if changed == wallet else [])


@given(KEYS)
def test_the_test_network_stays(key: bytes) -> None:
    assert found(f"faucet {address(bytes([0x6F]), key)}") == []


@pytest.mark.parametrize(
    "text",
    [
        "16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ2",
        "x16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ",
        "TestCaseForTheManyNumbers234",
    ],
)
def test_words_without_a_checksum_stay(text: str) -> None:
    assert found(text) == []
