"""Dutch citizen service numbers (BSN): nine digits that pass the test of eleven."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

NL_BSN = national_id(
    "nl_bsn",
    "mod11",
    r"[0-9]{9}|[0-9]{4}\.[0-9]{2}\.[0-9]{3}",
    "bsn burgerservicenummer sofinummer sofi burger_service citizen_service",
    stdnum("nl.bsn"),
    r"(?i)bsn|burger.?service|sofi|citizen service",
)
