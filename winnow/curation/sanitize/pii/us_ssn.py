"""Social security numbers of the United States: area, group and serial in the ranges that were issued.

Written 3-2-4 with dashes a number needs no further sign; with dots or spaces, in two groups or none, a word has to
name it, or it is all that the text holds. Numbers made public as examples stay.
"""

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.national_id import Shape, announced

_WORDS = "ssn ssns ss social_security soc_sec socialsecurity social"
_PUBLISHED = frozenset({"078051120", "219099999", "123456789", "457555462", "111223333", "123121234"})
_ANY = r"[0-9]{3}(?P<a>[-. ])[0-9]{2}(?P=a)[0-9]{4}|[0-9]{3}-[0-9]{6}|[0-9]{5}-[0-9]{4}|[0-9]{9}"


def is_issued(value: str) -> bool:
    """Whether the number was or may be given to a person.

    >>> is_issued("536-22-1234"), is_issued("666-22-1234"), is_issued("078-05-1120")
    (True, False, False)
    """
    digits = "".join(filter(str.isdigit, value))
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    if area in ("000", "666") or area[0] == "9" or group == "00" or serial == "0000":
        return False
    return digits not in _PUBLISHED and len(set(digits)) > 2


US_SSN = Detector(
    "us_ssn",
    "ssa",
    (),
    announced(Shape(_ANY, alone=True, certain=r"[0-9]{3}-[0-9]{2}-[0-9]{4}"), _WORDS),
    is_issued,
    r"[0-9]{3}[-. ]?[0-9]{2}[-. ]?[0-9]{4}",
    scope="prose",
    confidence=0.85,
)
