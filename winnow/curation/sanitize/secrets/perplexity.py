"""Keys of Perplexity."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PERPLEXITY_KEY = known_shape(
    "perplexity_key",
    ("pplx-",),
    r"pplx-[A-Za-z0-9]{40,56}",
)
