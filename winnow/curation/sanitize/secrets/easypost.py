"""Keys of EasyPost."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

EASYPOST_KEY = known_shape(
    "easypost_key",
    ("EZAK", "EZTK"),
    START + r"EZ[AT]K[A-Za-z0-9]{54}",
    least=12,
)
