"""South African identity numbers: birth, sex, citizenship and Luhn's digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

ZA_ID_NUMBER = national_id(
    "za_id_number",
    "luhn",
    r"[0-9]{6} ?[0-9]{4} ?[0-9]{3}",
    "id_number identity_number idno rsa_id south_african sa_id identity",
    stdnum("za.idnr"),
    r"[0-9]{6} ?[0-9]{4} ?[0-9]{3}",
)
