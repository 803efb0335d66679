"""Swedish personal identity numbers: birth, serial and Luhn's digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

SE_PERSONNUMMER = national_id(
    "se_personnummer",
    "luhn",
    r"(?:1[89]|20)?[0-9]{6}[-+]?[0-9]{4}",
    "personnummer personnr samordningsnummer personal_identity pnr person_nummer personnumret",
    stdnum("se.personnummer"),
    r"(?i)person.?n|samordning|personal identity|pnr",
)
