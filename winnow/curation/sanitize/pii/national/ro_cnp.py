"""Romanian personal codes (CNP): sex, birth, county, serial and a check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

RO_CNP = national_id(
    "ro_cnp",
    "mod11",
    r"[1-9][0-9]{12}",
    "cnp cod_numeric cod_numeric_personal",
    stdnum("ro.cnp"),
    r"(?i)cnp|cod numeric",
)
