"""Tokens of Pulumi."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

PULUMI_TOKEN = known_shape(
    "pulumi_token",
    ("pul-",),
    START + r"pul-[0-9a-f]{40}",
)
