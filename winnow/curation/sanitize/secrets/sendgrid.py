"""Keys of SendGrid: an id and a secret behind `SG`."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SENDGRID_KEY = known_shape(
    "sendgrid_key",
    ("SG.",),
    r"(?<![A-Za-z0-9_])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    least=12,
)
