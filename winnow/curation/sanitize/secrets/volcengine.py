"""Access key ids of Volcengine."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

VOLCENGINE_KEY = known_shape(
    "volcengine_key_id",
    ("AKLT",),
    START + r"AKLT[A-Za-z0-9]{20,60}" + END,
    accept=drawn,
)
