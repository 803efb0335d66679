"""Bank accounts as IBAN: the form and length that a country registered, and the check digits of ISO 7064."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.check_digits import stdnum

_LENGTH_WORDS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20
EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30
KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23
PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26
UA29 VA22 VG24 XK20 YE30
"""
_LENGTHS = {word[:2]: int(word[2:]) for word in _LENGTH_WORDS.split()}
_HEAD = re.compile(
    r"(?<![0-9A-Za-z])[A-Za-z]{2}[0-9]{2}(?=[ -]?[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{3})"
)
_BODY = re.compile(r"(?:[ -]?[0-9A-Za-z])*")
_LONGEST = 2 * max(_LENGTHS.values())
_valid = stdnum("iban", check_country=False)


def search(text: str) -> Iterator[tuple[int, int]]:
    """Accounts in one piece or in groups, in capitals or in small letters."""
    for head in _HEAD.finditer(text):
        start = head.start()
        length = _LENGTHS.get(text[start : start + 2].upper())
        end = _end(text, start, length) if length else None
        if end is not None:
            yield start, end


def _end(text: str, start: int, length: int) -> int | None:
    """Where the account ends that has `length` letters and digits, if it is one."""
    body = _BODY.match(text, start, start + _LONGEST)
    places = [at for at in range(start, body.end() if body else start) if text[at] not in " -"][:length]
    if len(places) < length:
        return None
    end = places[-1] + 1
    value = "".join(text[at] for at in places)
    if re.match(r"\w", text[end : end + 1]) or value not in (value.upper(), value.lower()):
        return None
    return end if _valid(value) else None


IBAN_CODE = Detector(
    "iban_code",
    "iso13616",
    (),
    search,
    trigger=r"[A-Za-z]{2}[0-9]{2}[ -]?[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{4}[ -]?[0-9A-Za-z]{3}",
    confidence=0.99,
)
