"""Tokens of Airtable: personal tokens, and the older keys."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

AIRTABLE_TOKEN = known_shape(
    "airtable_token",
    ("pat",),
    r"(?<![A-Za-z0-9_])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    trigger=r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
)
AIRTABLE_KEY = known_shape(
    "airtable_key",
    ("key",),
    START + r"key[A-Za-z0-9]{14}" + END,
    accept=drawn,
    trigger=r"key[A-Za-z0-9]{14}",
    confidence=0.8,
)
