"""Secrets of 42 applications."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

INTRA42_SECRET = known_shape(
    "intra42_secret",
    ("s-s4t2ud-", "s-s4t2af-"),
    r"s-s4t2(?:ud|af)-[0-9a-f]{64}",
)
