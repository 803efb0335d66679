"""Keys of Mailgun, and the keys that sign its webhooks."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape, with_digits

MAILGUN_KEY = known_shape(
    "mailgun_key",
    ("key-",),
    START + r"key-(?:[0-9a-f]{32}|[0-9a-z]{32})" + END,
    accept=with_digits,
)
MAILGUN_SIGNING_KEY = known_shape(
    "mailgun_signing_key",
    (),
    r"(?<![0-9a-z])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9a-z-])",
    trigger=r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}",
)
