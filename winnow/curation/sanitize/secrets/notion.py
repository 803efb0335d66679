"""Tokens of Notion, the old and the new prefix."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

NOTION_TOKEN = known_shape(
    "notion_token",
    ("ntn_",),
    START + r"ntn_[0-9]{8,12}[A-Za-z0-9]{32,38}",
    least=10,
)
NOTION_SECRET = known_shape(
    "notion_secret",
    ("secret_",),
    START + r"secret_[A-Za-z0-9]{43}" + END,
    accept=drawn,
)
