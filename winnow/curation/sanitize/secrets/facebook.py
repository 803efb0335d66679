"""Access tokens of Facebook: of users and pages, and of applications (id, bar, secret)."""

from winnow.curation.sanitize.secrets.known_shape import START, drawn, known_shape, varied_body

FACEBOOK_TOKEN = known_shape(
    "facebook_token",
    ("EAA",),
    START + r"EAA[A-Z][A-Za-z0-9]{80,400}",
    accept=drawn,
)
FACEBOOK_APP_TOKEN = known_shape(
    "facebook_app",
    ("|",),
    r"(?<![0-9A-Za-z])[0-9]{15,16}(?:\||%7C)[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])",
    accept=varied_body(12),
    trigger=r"[0-9]{15}(?:\||%7C)[A-Za-z0-9_-]{27}",
)
