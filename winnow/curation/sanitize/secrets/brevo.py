"""Keys of Brevo, which was Sendinblue."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

BREVO_KEY = known_shape(
    "brevo_key",
    ("xkeysib-", "xsmtpsib-"),
    r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
)
