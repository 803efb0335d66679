"""Irish PPS numbers: seven digits and one or two letters, the first a check."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

IE_PPS = national_id(
    "ie_pps",
    "mod23",
    r"[0-9]{7}[A-W][ABHTWX]?",
    "pps ppsn personal_public_service public_service",
    stdnum("ie.pps"),
    r"(?i)pps|public service",
)
