"""Croatian personal numbers (OIB): eleven digits by ISO 7064."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

HR_OIB = national_id(
    "hr_oib",
    "iso7064",
    r"[0-9]{11}",
    "oib osobni_identifikacijski",
    stdnum("hr.oib"),
    r"(?i)oib|osobni identifikacijski",
)
