"""Wallets whose address is Bech32 or Bech32m (BIP 173 and 350): Bitcoin, Litecoin, Cardano and the Cosmos family."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector

_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_PREFIXES = ("bc", "ltc", "addr", "stake", "cosmos", "osmo", "terra", "juno", "inj", "celestia")
_WORD = re.compile(
    rf"(?<![0-9A-Za-z_])(?:{'|'.join(_PREFIXES)})1[{_ALPHABET}]{{11,110}}(?![0-9A-Za-z_])", re.IGNORECASE
)
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CONSTANTS = (1, 0x2BC830A3)
"""What the checksum of Bech32, of Bech32m, comes to."""


def search(text: str) -> Iterator[tuple[int, int]]:
    """Addresses in small letters or in capitals, never mixed, whose checksum is right."""
    for match in _WORD.finditer(text):
        word = match.group()
        if word in (word.lower(), word.upper()) and is_address(word.lower()):
            yield match.span()


def is_address(word: str) -> bool:
    """Whether the checksum of a word in small letters is right.

    >>> is_address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
    True
    """
    prefix, _, data = word.partition("1")
    values = (
        [ord(c) >> 5 for c in prefix]
        + [0]
        + [ord(c) & 31 for c in prefix]
        + [_ALPHABET.index(c) for c in data]
    )
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATOR):
            checksum ^= generator if top >> bit & 1 else 0
    return checksum in _CONSTANTS


CRYPTO_BECH32 = Detector(
    "crypto",
    "bech32",
    (),
    search,
    trigger=rf"(?:{'|'.join(_PREFIXES)})1[{_ALPHABET}]{{11}}|[A-Z]{{2,8}}1[{_ALPHABET.upper()}]{{11}}",
    confidence=0.99,
)
