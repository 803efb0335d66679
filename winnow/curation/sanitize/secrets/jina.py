"""Keys of Jina."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

JINA_KEY = known_shape(
    "jina_key",
    ("jina_",),
    r"jina_[A-Za-z0-9_-]{55,70}",
    least=16,
)
