"""Turkish identity numbers: eleven digits, two of them checks."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

TR_IDENTITY_NUMBER = national_id(
    "tr_identity_number",
    "mod10",
    r"[1-9][0-9]{10}",
    "tckn tc_kimlik kimlik kimlik_no tckimlik t_c_kimlik",
    stdnum("tr.tckimlik"),
    r"(?i)tckn|kimlik",
)
