"""Tokens of Figma."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

FIGMA_TOKEN = known_shape(
    "figma_token",
    ("fig",),
    r"fig[duo]h?_[A-Za-z0-9_-]{36,64}",
    least=14,
)
