"""Italian codice fiscale: letters of the names, birth and place, and a check letter; its form needs no word."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

_FORM = "[A-Za-z]{6}[0-9]{2}[A-EHLMPRSTa-ehlmprst][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]"

IT_FISCAL_CODE = national_id(
    "it_fiscal_code",
    "mod26",
    Shape(_FORM, certain="[A-Z0-9]*"),
    "codice_fiscale cf fiscale fiscal_code codicefiscale",
    stdnum("it.codicefiscale"),
    _FORM,
)
