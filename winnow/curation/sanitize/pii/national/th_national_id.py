"""Thai identity numbers: thirteen digits with a check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

TH_NATIONAL_ID = national_id(
    "th_national_id",
    "mod11",
    r"[1-8]-?[0-9]{4}-?[0-9]{5}-?[0-9]{2}-?[0-9]",
    "บัตรประชาชน เลขประจำตัวประชาชน thai_id national_id citizen_id",
    stdnum("th.pin"),
    r"(?i)thai id|national id|citizen id|ประชาชน",
)
