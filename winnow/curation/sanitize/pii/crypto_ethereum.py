"""Wallets of Ethereum and the chains that copy its addresses.

Capitals and small letters carry a checksum (EIP-55): where it is right no word is needed. All in one case there is
none, and a word has to name it, since hashes and pointers look the same.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector, varied
from winnow.curation.sanitize.pii.context import Words, around, stands_alone
from winnow.curation.sanitize.pii.keccak import keccak256

_WORD = re.compile(r"(?<![0-9A-Za-z_])0x[0-9A-Fa-f]{40}(?![0-9A-Za-z_])")
_WORDS = Words(
    """eth ether ethereum wallet wallets metamask erc usdt usdc dai polygon arbitrum binance bsc bnb crypto token
    airdrop donate donation donations tip tips"""
)


def search(text: str) -> Iterator[tuple[int, int]]:
    """Addresses by their checksum or by the words near them."""
    for match in _WORD.finditer(text):
        digits = match.group()[2:]
        if digits in (digits.lower(), digits.upper()):
            if not (_WORDS.among(around(text, *match.span())) or stands_alone(text, *match.span())):
                continue
        elif checksummed(digits.lower()) != digits:
            continue
        yield match.span()


def checksummed(digits: str) -> str:
    """Forty small hexadecimal digits with the capitals that EIP-55 gives them.

    >>> checksummed("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    """
    marks = keccak256(digits.encode()).hex()
    return "".join(d.upper() if int(mark, 16) > 7 else d for d, mark in zip(digits, marks, strict=False))


CRYPTO_ETHEREUM = Detector(
    "crypto", "ethereum", (), search, varied(6), trigger=r"0x[0-9A-Fa-f]{40}", confidence=0.9
)
