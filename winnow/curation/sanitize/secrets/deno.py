"""Tokens of Deno Deploy."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

DENO_TOKEN = known_shape(
    "deno_token",
    ("ddp_", "ddw_", "ddo_"),
    START + r"dd[pwo]_[A-Za-z0-9]{36}" + END,
    accept=drawn,
)
