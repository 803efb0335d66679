"""Polish PESEL: birth, serial and a weighted check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

PL_PESEL = national_id(
    "pl_pesel",
    "mod10",
    r"[0-9]{11}",
    "pesel",
    stdnum("pl.pesel"),
    r"(?i)pesel",
)
