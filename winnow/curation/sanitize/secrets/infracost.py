"""Keys of Infracost."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

INFRACOST_KEY = known_shape(
    "infracost_key",
    ("ico-",),
    START + r"ico-[A-Za-z0-9]{32}" + END,
    accept=drawn,
)
