"""Portuguese taxpayer numbers: nine digits with a check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

PT_NIF = national_id(
    "pt_nif",
    "mod11",
    r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}",
    "nif contribuinte número_de_contribuinte nipc identificação_fiscal",
    stdnum("pt.nif"),
    r"(?i)nif[^a-z]|contribuinte|identifica.{2,4}o fiscal",
)
