"""Mexican CURP: letters of the names, birth, sex, state and a check digit; the form needs no word."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

MX_CURP = national_id(
    "mx_curp",
    "mod10",
    Shape(r"[A-Z][AEIOUX][A-Z]{2}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", certain=r".*"),
    "curp",
    stdnum("mx.curp"),
    r"[A-Z][AEIOUX][A-Z]{2}[0-9]{6}[HMX][A-Z]{5}",
)
