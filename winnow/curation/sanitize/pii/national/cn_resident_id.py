"""Chinese resident identity numbers: place, birth, serial and a check by ISO 7064; the form needs no word."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

CN_RESIDENT_ID = national_id(
    "cn_resident_id",
    "iso7064",
    Shape(
        r"[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9X]",
        certain=r".*",
    ),
    "身份证",
    stdnum("cn.ric"),
    r"[1-9][0-9]{5}(?:19|20)[0-9]{2}[01][0-9][0-3][0-9]",
)
