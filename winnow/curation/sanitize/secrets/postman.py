"""Keys of Postman."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

POSTMAN_KEY = known_shape(
    "postman_key",
    ("PMAK-",),
    r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
)
