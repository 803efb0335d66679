"""Australian tax file numbers: eight or nine digits with a weighted sum."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

AU_TFN = national_id(
    "au_tfn",
    "mod11",
    r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}",
    "tfn tax_file taxfile",
    stdnum("au.tfn"),
    r"(?i)tfn|tax.?file",
)
