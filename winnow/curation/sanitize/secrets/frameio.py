"""Tokens of Frame.io."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

FRAMEIO_TOKEN = known_shape(
    "frameio_token",
    ("fio-u-",),
    r"fio-u-[A-Za-z0-9_=-]{64}",
)
