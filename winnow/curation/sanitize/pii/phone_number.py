"""Telephone numbers, in five ways of being sure.

With a country code the numbering plan of that country decides (libphonenumber). Without, a number counts where it is
written as Americans write theirs, where it begins with a trunk prefix, is cut into groups and is in the plan of a
larger country, where a word says that it is a telephone's, or where it is all that a text holds. Numbers kept for
fiction stay (555-0100 to 555-0199, the drama ranges of Ofcom and ACMA).
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.context import Words, after_span, before_span, stands_alone
from winnow.curation.sanitize.pii.numbering_plan import (
    is_fiction,
    possible_abroad,
    valid_abroad,
    valid_at_home,
)
from winnow.curation.sanitize.pii.phone_candidates import Candidate, candidates
from winnow.curation.sanitize.pii.phone_words import HINTS, LABELS, NO_PHONE, REQUESTS

_TRIGGER = r"(?:[0-9][ .()/-]{0,3}){6}[0-9]"
_AMERICAN = re.compile(
    r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}-)[2-9][0-9]{2}[-. ][0-9]{4}(?: ?(?:x|ext).*)?",
    re.IGNORECASE,
)
_EXTENDED = re.compile(
    r"(?:\+?[0-9]{1,3}[ .-])?\(?[0-9]{3}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4} ?(?:x|ext).*", re.IGNORECASE
)
_LETTER = re.compile(r"(?:\A|[\s(|,;])(?:[tmfcwho][:.]|p:|\([tmpfcwho]\)) ?\Z", re.IGNORECASE)
_NEAR = 40
_LABEL = Words(LABELS)
_REQUEST = Words(REQUESTS)
_HINT = Words(HINTS)
_CALL = Words("call calls called calling caller dial dialed text texted reply contact reach answered")
_BEHIND = Words(LABELS + " office home work direct main")
_NO_PHONE = Words(NO_PHONE)


def _spans(is_phone: Callable[[str, Candidate], bool]) -> Callable[[str], Iterator[tuple[int, int]]]:
    def search(text: str) -> Iterator[tuple[int, int]]:
        for candidate in candidates(text):
            if is_phone(text, candidate) and not is_fiction(candidate.digits):
                yield candidate.start, candidate.end

    return search


def _international(_: str, number: Candidate) -> bool:
    if number.international:
        grouped = len(number.groups) > 2 and len(number.digits) > 9
        return valid_abroad(number.written) or (grouped and possible_abroad(number.written))
    # the prefix that dials out of most countries
    return number.digits.startswith("00") and number.grouped and valid_abroad("+" + number.digits[2:])


def _american(_: str, number: Candidate) -> bool:
    if _EXTENDED.fullmatch(number.written):
        return True
    return bool(_AMERICAN.fullmatch(number.written)) and valid_at_home(number.digits)


def _trunk(text: str, number: Candidate) -> bool:
    if not (number.grouped and _is_cut_like_a_phone(number)) or "." in number.written:
        return False
    if _NO_PHONE.among(before_span(text, number.start, 32)):
        return False
    return valid_at_home(number.digits, trunk=True)


def _is_cut_like_a_phone(number: Candidate) -> bool:
    """Whether the groups are none of a list of bytes, an American post code, a company's or a tax office's number."""
    lengths = [len(group) for group in number.groups]
    if len(number.digits) < 9 or set(lengths) == {2} or lengths[-1] < 2 or lengths in ([5, 4], [2, 7]):
        return False
    return number.digits[0] == "0" or number.groups[0] == "8"


def _announced(text: str, number: Candidate) -> bool:
    if len(number.digits) > 15 or not (number.grouped or len(number.groups) == 1):
        return False
    before = before_span(text, number.start, 48)
    if _NO_PHONE.among(before):
        return False
    next_word, *more = after_span(text, number.end, 32).split()[:4] or [""]
    if _LABEL.among(before) and not _is_a_constant(text, number, before):
        return True
    if text[number.end : number.end + 1] in ("-", "(") and _BEHIND.among(f" {next_word} "):
        return True
    if len(number.digits) < 7 + (len(number.groups) == 1) * 2:
        return False
    behind = f" {' '.join([next_word, *more])} "
    if (
        _REQUEST.among(before)
        or _LABEL.among(behind)
        or _LETTER.search(text, max(0, number.start - 6), number.start)
    ):
        return True
    if len(number.groups) == 1:
        last = " ".join(before.split()[-3:])
        return len(number.digits) > 9 and _CALL.among(f" {last} ") and valid_at_home(number.digits)
    return _HINT.among(before_span(text, number.start, 48, above=False)) or _HINT.among(behind)


def _is_a_constant(text: str, number: Candidate, before: str) -> bool:
    """Whether a short number in one piece stands where code has one: `setCell(e) {2097152`."""
    if len(number.groups) > 1 or len(number.digits) > 9:
        return False
    nearest = " ".join(before.split()[-3:])
    return text[max(0, number.start - 1) : number.start] in ("{", "(", "[") or not _LABEL.among(
        f" {nearest} "
    )


def _search_announced(text: str) -> Iterator[tuple[int, int]]:
    """Announced numbers, and those in a list behind a number that is sure."""
    sure = -_NEAR
    for number in candidates(text):
        listed = number.start - sure < _NEAR and "\n" not in text[sure : number.start]
        if _announced(text, number) or (listed and valid_at_home(number.digits)):
            sure = number.end
            if not is_fiction(number.digits):
                yield number.start, number.end
        elif _international(text, number):
            sure = number.end


def _alone(text: str, number: Candidate) -> bool:
    if not stands_alone(text, number.start, number.end) or len(number.digits) > 13:
        return False
    return (number.grouped or len(number.groups) == 1 < len(number.digits) - 8) and valid_at_home(
        number.digits
    )


def _detector(
    name: str, search: Callable[[str], Iterator[tuple[int, int]]], confidence: float, in_code: bool = False
) -> Detector:
    scope: Literal["text", "prose"] = "text" if in_code else "prose"
    return Detector("phone_number", name, (), search, trigger=_TRIGGER, scope=scope, confidence=confidence)


PHONES = (
    _detector("international", _spans(_international), 0.95, in_code=True),
    _detector("american", _spans(_american), 0.9),
    _detector("trunk", _spans(_trunk), 0.7),
    _detector("announced", _search_announced, 0.85, in_code=True),
    _detector("alone", _spans(_alone), 0.5),
)
