"""Tokens of Scalingo."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SCALINGO_TOKEN = known_shape(
    "scalingo_token",
    ("tk-us-",),
    r"tk-us-[A-Za-z0-9_-]{48}",
)
