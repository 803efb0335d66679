"""Tokens of Sourcegraph."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

SOURCEGRAPH_TOKEN = known_shape(
    "sourcegraph_token",
    ("sgp_",),
    START + r"sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}",
)
