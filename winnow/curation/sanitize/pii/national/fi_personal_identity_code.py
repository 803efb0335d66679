"""Finnish personal identity codes (HETU): birth, century, serial and a check letter; the form needs no word."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

FI_PERSONAL_IDENTITY_CODE = national_id(
    "fi_personal_identity_code",
    "mod31",
    Shape(r"[0-3][0-9][01][0-9]{3}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]", certain=r"[0-9]{6}[-A][0-9]{3}[A-Z]"),
    "hetu henkilötunnus henkilotunnus personal_identity personbeteckning",
    stdnum("fi.hetu"),
    r"[0-3][0-9][01][0-9]{3}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]",
)
