"""Israeli identity numbers (Teudat Zehut): nine digits, the last by Luhn."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

IL_ID_NUMBER = national_id(
    "il_id_number",
    "luhn",
    r"[0-9]{9}",
    "teudat_zehut teudat זהות מספר_זהות",
    stdnum("il.idnr"),
    r"(?i)teudat|זהות",
)
