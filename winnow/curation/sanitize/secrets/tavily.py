"""Keys of Tavily."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

TAVILY_KEY = known_shape(
    "tavily_key",
    ("tvly-",),
    r"tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{30,64}",
    accept=drawn,
)
