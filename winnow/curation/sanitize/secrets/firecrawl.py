"""Keys of Firecrawl."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape

FIRECRAWL_KEY = known_shape(
    "firecrawl_key",
    ("fc-",),
    START + r"fc-[0-9a-f]{32}" + END,
)
