"""Czech and Slovak birth numbers: birth, a slash and three or four digits."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

CZ_BIRTH_NUMBER = national_id(
    "cz_birth_number",
    "mod11",
    r"[0-9]{6}/?[0-9]{3,4}",
    "rodné_číslo rodne_cislo rč rodné rodné_čislo birth_number",
    stdnum("cz.rc"),
    r"[0-9]{6}/?[0-9]{3}",
)
