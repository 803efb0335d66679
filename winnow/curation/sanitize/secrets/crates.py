"""Tokens of crates.io."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

CRATES_TOKEN = known_shape(
    "crates_token",
    ("cio",),
    START + r"cio[A-Za-z0-9]{32}" + END,
    accept=drawn,
)
