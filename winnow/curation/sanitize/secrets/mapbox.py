"""Secret tokens of Mapbox: a JWT payload between a prefix and a signature."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

MAPBOX_TOKEN = known_shape(
    "mapbox_secret",
    ("sk.eyJ", "tk.eyJ"),
    START + r"[st]k\.eyJ[A-Za-z0-9_-]{40,400}\.[A-Za-z0-9_-]{20,64}",
    least=16,
)
