"""Korean resident registration numbers: birth, sex and place, and a weighted check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

KR_RRN = national_id(
    "kr_rrn",
    "mod11",
    r"[0-9]{6}-?[0-9][0-9]{6}",
    "rrn resident_registration 주민등록번호 주민번호 주민",
    stdnum("kr.rrn"),
    r"[0-9]{6}-?[0-9][0-9]{6}",
)
