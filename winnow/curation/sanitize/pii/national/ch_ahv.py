"""Swiss social security numbers (AHV, AVS): 756, nine digits and the check digit of EAN-13."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import Shape, national_id

CH_AHV = national_id(
    "ch_ahv",
    "ean13",
    Shape(r"756(\.?)[0-9]{4}\1[0-9]{4}\1[0-9]{2}", certain=r"756\..*"),
    "ahv avs sozialversicherungsnummer oasi nss assurance",
    stdnum("ch.ssn"),
    r"756\.?[0-9]{4}\.?[0-9]{4}",
)
