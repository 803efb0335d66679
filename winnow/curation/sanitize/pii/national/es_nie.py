"""Spanish numbers of foreigners (NIE): X, Y or Z, seven digits, and a letter."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

ES_NIE = national_id(
    "es_nie",
    "mod23",
    r"[XYZ][ -]?[0-9]{7}[ -]?[A-HJ-NP-TV-Z]",
    "nie extranjero extranjeros identidad documento residencia nif identificación",
    stdnum("es.nie"),
    r"[XYZ][ -]?[0-9]{7}[ -]?[A-HJ-NP-TV-Z]",
)
