"""Wallets whose address is Base58Check: Bitcoin, Litecoin, Dogecoin, Dash, Tron and Zcash.

The last four of the 25 or 26 bytes are a checksum, so a hit is right but for one time in four billions. Test networks
stay.
"""

import hashlib
import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGIT = {letter: index for index, letter in enumerate(_ALPHABET)}
_TOKEN = re.compile(rf"(?<![0-9A-Za-z_])[13LMDAX9T7t][{_ALPHABET}]{{24,34}}(?![0-9A-Za-z_])")
_VERSIONS = (
    b"\x00",
    b"\x05",
    b"\x30",
    b"\x32",
    b"\x1e",
    b"\x16",
    b"\x4c",
    b"\x10",
    b"\x41",
    b"\x1c\xb8",
    b"\x1c\xbd",
)
"""Bitcoin (keys, scripts), Litecoin, Dogecoin, Dash, Tron, Zcash (two bytes)."""


def search(text: str) -> Iterator[tuple[int, int]]:
    """Words of the alphabet whose checksum is right."""
    for match in _TOKEN.finditer(text):
        if is_address(match.group()):
            yield match.span()


def is_address(word: str) -> bool:
    """Whether the word is an address of a main network.

    >>> is_address("1BoatSLRHtKNngkdXEeobR76b53LETtpyT"), is_address("1BoatSLRHtKNngkdXEeobR76b53LETtpyX")
    (True, False)
    """
    number = 0
    for letter in word:
        number = number * 58 + _DIGIT[letter]
    zeros = len(word) - len(word.lstrip("1"))
    raw = bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
    payload, checksum = raw[:-4], raw[-4:]
    if len(payload) not in (21, 22) or not any(payload[len(payload) - 20 :]):
        return False
    version = payload[: len(payload) - 20]
    return version in _VERSIONS and _twice(payload)[:4] == checksum


def _twice(data: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


CRYPTO_BASE58 = Detector(
    "crypto", "base58check", (), search, trigger=rf"[13LMDAX9T7t][{_ALPHABET}]{{24}}", confidence=0.99
)
