"""Canadian social insurance numbers: nine digits, the last by Luhn."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

CA_SIN = national_id(
    "ca_sin",
    "luhn",
    r"[1-79][0-9]{2}([ -])[0-9]{3}\1[0-9]{3}",
    "sin social_insurance nas assurance_sociale",
    stdnum("ca.sin"),
    r"[1-79][0-9]{2}[ -][0-9]{3}[ -][0-9]{3}",
)
