"""Norwegian birth numbers: birth, serial and two check digits."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

NO_FODSELSNUMMER = national_id(
    "no_fodselsnummer",
    "mod11",
    r"[0-9]{6} ?[0-9]{5}",
    "fødselsnummer fodselsnummer personnummer fnr fødselsnr birth_number",
    stdnum("no.fodselsnummer"),
    r"(?i)f.{1,2}dsels|personnummer|fnr|birth number",
)
