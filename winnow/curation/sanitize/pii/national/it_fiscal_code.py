"""Italian codice fiscale: letters of the names, birth and place, and a check letter; its form needs no word."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

IT_FISCAL_CODE = national_id(
    "it_fiscal_code",
    "mod26",
    Shape(
        r"(?i:[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z])",
        certain=r"[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]",
    ),
    "codice_fiscale cf fiscale fiscal_code codicefiscale",
    stdnum("it.codicefiscale"),
    r"[A-Za-z]{6}[0-9LMNPQRSTUVlmnpqrstuv]{2}[ABCDEHLMPRSTabcdehlmprst][0-9LMNPQRSTUVlmnpqrstuv]{2}[A-Za-z]",
)
