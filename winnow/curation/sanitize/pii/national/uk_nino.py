"""National insurance numbers of the United Kingdom: a prefix in use, six digits, A to D.

They have no check digit; written in pairs the form needs no word.
"""

from winnow.curation.sanitize.pii.national_id import Shape, national_id

_PREFIX = r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"

UK_NINO = national_id(
    "uk_nino",
    "form",
    Shape(
        rf"(?i:{_PREFIX}) ?[0-9]{{2}} ?[0-9]{{2}} ?[0-9]{{2}} ?[A-Da-d]",
        certain=r"[A-Z]{2} [0-9]{2} [0-9]{2} [0-9]{2} [A-D]",
    ),
    "nino ni national_insurance nationalinsurance ni_number insurance_number",
    lambda value: len(set(value)) > 4,
    r"[A-Za-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-Da-d]",
)
