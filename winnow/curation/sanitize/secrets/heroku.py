"""Keys of Heroku that carry a prefix; the older ones are plain UUIDs."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

HEROKU_KEY = known_shape(
    "heroku_key",
    ("HRKU-",),
    r"HRKU-(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{58,64})",
)
