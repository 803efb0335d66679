"""Telephone numbers, in four ways of being sure.

With a country code the numbering plan of that country decides (libphonenumber). Without, a number counts where it is
written as Americans write theirs, where a word says that it is a telephone's, or where it is all that a text holds.
Numbers kept for fiction stay (555-0100 to 555-0199, Ofcom's and others' drama ranges).
"""

import re
from collections.abc import Callable, Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.context import Words, after_span, before_span, stands_alone
from winnow.curation.sanitize.pii.numbering_plan import is_fiction, valid_abroad, valid_in
from winnow.curation.sanitize.pii.phone_candidates import Candidate, candidates
from winnow.curation.sanitize.pii.phone_words import LABELS, NO_PHONE, REQUESTS

_TRIGGER = r"(?:[0-9][ .()/-]{0,3}){6}[0-9]"
_AMERICAN = re.compile(
    r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}-)[2-9][0-9]{2}[-. ][0-9]{4}(?: ?(?:x|ext).*)?", re.I
)
_LABEL = Words(LABELS)
_BEHIND = Words(LABELS + " office home work direct main")
_REQUEST = Words(REQUESTS)
_NO_PHONE = Words(NO_PHONE)


def _spans(is_phone: Callable[[str, Candidate], bool]) -> Callable[[str], Iterator[tuple[int, int]]]:
    def search(text: str) -> Iterator[tuple[int, int]]:
        for candidate in candidates(text):
            if is_phone(text, candidate) and not is_fiction(candidate.digits):
                yield candidate.start, candidate.end

    return search


def _international(text: str, number: Candidate) -> bool:
    if number.international:
        return valid_abroad(number.written)
    # the prefix that dials out of most countries
    return number.digits.startswith("00") and number.grouped and valid_abroad("+" + number.digits[2:])


def _american(text: str, number: Candidate) -> bool:
    return bool(_AMERICAN.fullmatch(number.written)) and valid_in(number.digits, ("US",))


def _announced(text: str, number: Candidate) -> bool:
    if len(number.digits) > 15 or not (number.grouped or len(number.groups) == 1):
        return False
    before = before_span(text, number.start, 48)
    after = after_span(text, number.end, 24)
    if _NO_PHONE.among(before):
        return False
    if _LABEL.among(before) or _BEHIND.among(f" {after[1:].partition(' ')[0]} "):
        return True
    return _REQUEST.among(before) and len(number.digits) >= 8 and _plausible(number)


def _plausible(number: Candidate) -> bool:
    return len(number.groups) > 1 or 9 <= len(number.digits) <= 12


def _alone(text: str, number: Candidate) -> bool:
    if not stands_alone(text, number.start, number.end) or len(number.digits) > 13:
        return False
    return (number.grouped or len(number.groups) == 1 < len(number.digits) - 8) and valid_in(number.digits)


PHONE_INTERNATIONAL = Detector(
    "phone_number", "international", (), _spans(_international), trigger=_TRIGGER, confidence=0.95
)
PHONE_AMERICAN = Detector(
    "phone_number", "american", (), _spans(_american), trigger=_TRIGGER, scope="prose", confidence=0.9
)
PHONE_ANNOUNCED = Detector(
    "phone_number", "announced", (), _spans(_announced), trigger=_TRIGGER, scope="prose", confidence=0.85
)
PHONE_ALONE = Detector(
    "phone_number", "alone", (), _spans(_alone), trigger=_TRIGGER, scope="prose", confidence=0.5
)
