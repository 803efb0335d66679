"""Tokens of GoCardless."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

GOCARDLESS_TOKEN = known_shape(
    "gocardless_token",
    ("live_", "sandbox_"),
    START + r"(?:live|sandbox)_[A-Za-z0-9_-]{40}" + END,
    accept=drawn,
)
