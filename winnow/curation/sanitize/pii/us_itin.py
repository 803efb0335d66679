"""Taxpayer numbers that the United States give to who has no social security number: 9xx-(50..65, 70..88, 90..92,
94..99)-xxxx.
"""

import re

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.national_id import Shape, announced

_WORDS = "itin itins taxpayer individual_taxpayer tax_id tin"
_GROUP = r"(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])"
_ANY = rf"9[0-9]{{2}}(?P<a>[- ]){_GROUP}(?P=a)[0-9]{{4}}|9[0-9]{{2}}-?{_GROUP}-?[0-9]{{4}}"


def _varies(value: str) -> bool:
    return len(set(re.sub(r"\D", "", value))) > 2


US_ITIN = Detector(
    "us_itin",
    "irs",
    (),
    announced(Shape(_ANY, alone=True, certain=rf"9[0-9]{{2}}-{_GROUP}-[0-9]{{4}}"), _WORDS),
    _varies,
    rf"9[0-9]{{2}}[- ]?{_GROUP}[- ]?[0-9]{{4}}",
    scope="prose",
    confidence=0.85,
)
