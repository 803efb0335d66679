"""Payment cards: the number ranges of issuers with the lengths they use, and Luhn's check digit.

A number of 16 digits, or of 15 in groups, needs no word that announces it; other lengths and smaller ranges do.
Numbers that payment processors publish for tests are cards like any other, since in a sentence nobody can tell;
where the line says that it is about a test they stay.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.check_digits import luhn
from winnow.curation.sanitize.pii.context import Words, around, stands_alone

_PLAIN = r"[0-9]{12,19}"
_GROUPED = r"[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}(?:\1[0-9]{1,3})?|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}"
_CARD = re.compile(
    rf"(?<![0-9A-Za-z_.*])(?<![0-9]-)(?<![*/] )(?:{_GROUPED}|{_PLAIN})(?![0-9A-Za-z_*]|[-.][0-9])"
)
_ISSUERS = (
    (r"4", (13, 16, 19)),
    (r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", (16,)),
    (r"3[47]", (15,)),
    (r"6011|64[4-9]|65|62", (16, 17, 18, 19)),
    (r"35(?:2[89]|[3-8])", (16, 17, 18, 19)),
    (r"2131|1800", (15,)),
    (r"30[0-5]|3095|3[689]", (14, 15, 16, 17, 18, 19)),
    (r"0604|50|5[6-9]|6[0137-9]", tuple(range(12, 20))),
    (r"220[0-4]|9792|81|82", (16,)),
    (r"1", (15,)),
)
"""Beginnings and lengths: Visa, Mastercard, American Express, Discover with UnionPay, JCB (new, old), Diners,
Maestro with Dankort and RuPay, Mir with Troy, UATP."""
_STRONG = re.compile(
    r"(?:4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|6011|64[4-9]|65|62|35|67|50[1-38]|58|63)"
)
_RANGES = tuple((re.compile(beginning), lengths) for beginning, lengths in _ISSUERS)
_WORDS = Words(
    """card cards cc ccn pan creditcard debitcard cardnumber visa mastercard amex maestro discover jcb
    diners carte karte kreditkarte kartennummer tarjeta carta cartao cartão kaart kort karta карта карты
    信用卡 银行卡 卡号 カード 카드"""
)
_NO_CARD = Words(
    """luhn testing fake dummy mock sample fixture assert invalid isbn imei iccid ean gtin upc
    test_card test_cards test_number test_numbers testcard card_test validate_card"""
)
_NEVER = frozenset({"4242424242424242", "0000000000000000"})


def search_named(text: str) -> Iterator[tuple[int, int]]:
    """Numbers that a word near them calls a card's, of issuers that are listed or not."""
    for start, end, digits, words in _checked(text):
        likely = len(digits) > 12 and digits[0] in "3456"
        if (likely or _is_issued(digits)) and _WORDS.among(words):
            yield start, end


def search_unnamed(text: str) -> Iterator[tuple[int, int]]:
    """Numbers of listed issuers in groups, of the usual length, or with nothing else in the text."""
    for start, end, digits, _ in _checked(text):
        if not _is_issued(digits):
            continue
        grouped = end - start > len(digits) and len(digits) in (15, 16)
        usual = len(digits) == 16 and _STRONG.match(digits)
        if grouped or usual or stands_alone(text, start, end):
            yield start, end


def _checked(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Spans with Luhn's digit that no word near them denies to be a card, their digits, and those words."""
    for match in _CARD.finditer(text):
        digits = re.sub("[ -]", "", match.group())
        if digits not in _NEVER and luhn(digits):
            words = around(text, *match.span(), 80, 40)
            if not _NO_CARD.among(words):
                yield *match.span(), digits, words


def _is_issued(digits: str) -> bool:
    return any(len(digits) in lengths and beginning.match(digits) for beginning, lengths in _RANGES)


_TRIGGER = r"[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{2}"
CREDIT_CARD = Detector("credit_card", "named", (), search_named, trigger=_TRIGGER, confidence=0.95)
UNNAMED_CARD = Detector(
    "credit_card", "unnamed", (), search_unnamed, trigger=_TRIGGER, scope="prose", confidence=0.7
)
