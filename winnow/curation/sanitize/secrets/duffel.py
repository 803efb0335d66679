"""Tokens of Duffel."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DUFFEL_TOKEN = known_shape(
    "duffel_token",
    ("duffel_",),
    r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}",
)
