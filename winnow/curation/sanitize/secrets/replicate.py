"""Tokens of Replicate."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

REPLICATE_TOKEN = known_shape(
    "replicate_token",
    ("r8_",),
    START + r"r8_[A-Za-z0-9]{37}",
    least=12,
)
