"""Argentine tax numbers (CUIT, CUIL): a prefix, the document and a check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

AR_CUIT = national_id(
    "ar_cuit",
    "mod11",
    r"(?:20|23|24|27)-?[0-9]{8}-?[0-9]",
    "cuit cuil",
    stdnum("ar.cuit"),
    r"(?i)cui[tl]",
)
