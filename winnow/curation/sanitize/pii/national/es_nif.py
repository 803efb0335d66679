"""Spanish DNI and NIF of persons: eight digits and the letter of their remainder by 23."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

ES_NIF = national_id(
    "es_nif",
    "mod23",
    r"[0-9]{8}[ -]?[A-HJ-NP-TV-Z]",
    "nif dni documento identidad documento_nacional identificación identificacion cédula",
    stdnum("es.dni"),
    r"[0-9]{8}[ -]?[A-HJ-NP-TV-Z]",
)
