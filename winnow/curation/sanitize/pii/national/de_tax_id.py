"""German tax identification numbers (Steuer-ID): eleven digits, the last by ISO 7064."""

from winnow.curation.sanitize.pii.check_digits import stdnum
from winnow.curation.sanitize.pii.national_id import national_id

DE_TAX_ID = national_id(
    "de_tax_id",
    "iso7064",
    r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}",
    "steuer steuerid steueridnr idnr tin identifikationsnummer steuernummer tax_id",
    stdnum("de.idnr"),
    r"(?i)steuer|idnr|identifikationsnr|identifikationsnummer|tax.?id",
)
