"""Licence keys of MaxMind."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

MAXMIND_KEY = known_shape(
    "maxmind_key",
    ("_mmk",),
    START + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
    trigger=r"[A-Za-z0-9]{29}_mmk",
)
