"""Tokens of Sentry: of an organisation (base64 of JSON and a secret) and of a user."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SENTRY_ORG = known_shape(
    "sentry_organisation",
    ("sntrys_",),
    r"sntrys_eyJ[A-Za-z0-9+/]{40,400}={0,2}_[A-Za-z0-9+/]{43}",
)
SENTRY_USER = known_shape(
    "sentry_user",
    ("sntryu_",),
    r"sntryu_[0-9a-f]{64}",
)
