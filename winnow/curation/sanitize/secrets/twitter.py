"""Bearer tokens of Twitter, which begin with a row of A."""

from winnow.curation.sanitize.secrets.known_shape import known_shape
from winnow.curation.sanitize.secrets.randomness import looks_random

TWITTER_BEARER = known_shape(
    "twitter_bearer",
    ("AAAAAAAAAAAAAAAAAAAAA",),
    r"(?<![A-Za-z0-9+/])A{21,22}[A-Za-z0-9%]{60,110}",
    accept=looks_random,
)
