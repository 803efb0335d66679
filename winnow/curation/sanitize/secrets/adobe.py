"""Client secrets of Adobe."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

ADOBE_SECRET = known_shape(
    "adobe_secret",
    ("p8e-", "p8e_"),
    r"(?<![A-Za-z0-9_-])p8e[-_][A-Za-z0-9_-]{32}",
)
