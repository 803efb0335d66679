"""Indian permanent account numbers (PAN): five letters, of which the fourth tells the holder, four digits, a letter."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

IN_PAN = national_id(
    "in_pan",
    "form",
    r"[A-Z]{3}[PCHFATBLJGE][A-Z][0-9]{4}[A-Z]",
    "pan permanent_account income_tax pancard pan_card",
    stdnum("in_.pan"),
    r"[A-Z]{3}[PCHFATBLJGE][A-Z][0-9]{4}[A-Z]",
)
