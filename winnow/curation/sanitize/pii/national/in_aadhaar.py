"""Indian Aadhaar: twelve digits, the last by Verhoeff."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

IN_AADHAAR = national_id(
    "in_aadhaar",
    "verhoeff",
    r"[2-9][0-9]{3}([ -]?)[0-9]{4}\1[0-9]{4}",
    "aadhaar aadhar uidai adhaar adhar आधार",
    stdnum("in_.aadhaar"),
    r"(?i)aadh|uidai|adha|आधार",
)
