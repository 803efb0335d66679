"""Greek social security numbers (AMKA): birth, serial and Luhn's digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

GR_AMKA = national_id(
    "gr_amka",
    "luhn",
    r"[0-3][0-9][01][0-9]{8}",
    "amka αμκα",
    stdnum("gr.amka"),
    r"(?i)amka|ΑΜΚΑ|αμκα",
)
