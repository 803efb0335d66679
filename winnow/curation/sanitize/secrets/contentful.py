"""Tokens of Contentful."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

CONTENTFUL_TOKEN = known_shape(
    "contentful_token",
    ("CFPAT-",),
    r"CFPAT-[A-Za-z0-9_-]{43}",
)
