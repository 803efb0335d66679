"""Tokens of Harness."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

HARNESS_TOKEN = known_shape(
    "harness_token",
    ("pat.", "sat."),
    r"(?<![A-Za-z0-9_])[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}",
    trigger=r"[ps]at\.[A-Za-z0-9_-]{22}\.",
)
