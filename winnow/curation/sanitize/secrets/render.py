"""Keys of Render."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

RENDER_KEY = known_shape(
    "render_key",
    ("rnd_",),
    START + r"rnd_[A-Za-z0-9]{28,36}" + END,
    accept=drawn,
)
