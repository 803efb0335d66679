"""Japanese individual numbers (My Number): twelve digits with a check digit."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

JP_MY_NUMBER = national_id(
    "jp_my_number",
    "mod11",
    r"[0-9]{4}([ -]?)[0-9]{4}\1[0-9]{4}",
    "my_number mynumber individual_number マイナンバー 個人番号",
    stdnum("jp.in_"),
    r"(?i)my.?number|individual number|マイナンバー|個人番号",
)
