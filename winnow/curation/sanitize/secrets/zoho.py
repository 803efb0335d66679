"""Tokens of Zoho."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

ZOHO_TOKEN = known_shape(
    "zoho_token",
    ("1000.",),
    r"(?<![0-9A-Za-z.])1000\.[0-9a-f]{32}\.[0-9a-f]{32}(?![0-9a-z])",
)
