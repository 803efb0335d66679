"""Keys of Fireworks."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

FIREWORKS_KEY = known_shape(
    "fireworks_key",
    ("fw_",),
    START + r"fw_[A-Za-z0-9]{22,24}" + END,
    accept=drawn,
)
