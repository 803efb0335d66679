"""Danish CPR numbers: birth and serial."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

DK_CPR = national_id(
    "dk_cpr",
    "form",
    r"[0-3][0-9][01][0-9]{3}-?[0-9]{4}",
    "cpr personnummer cprnr cprnummer",
    stdnum("dk.cpr"),
    r"(?i)cpr|personnummer",
)
