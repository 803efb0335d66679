"""NHS numbers: ten digits, the last a remainder by eleven."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

UK_NHS = national_id(
    "uk_nhs",
    "mod11",
    r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}",
    "nhs national_health health_service",
    stdnum("gb.nhs"),
    r"(?i)nhs|national health|health service",
)
