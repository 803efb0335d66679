"""Keys of Together."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

TOGETHER_KEY = known_shape(
    "together_key",
    ("tgp_v1_",),
    r"tgp_v1_[A-Za-z0-9_-]{40,60}",
)
