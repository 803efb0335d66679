"""Keys of Voyage."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

VOYAGE_KEY = known_shape(
    "voyage_key",
    ("pa-",),
    START + r"pa-[A-Za-z0-9_-]{43}" + END,
    accept=drawn,
)
