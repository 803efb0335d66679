"""Tokens of Netlify."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

NETLIFY_TOKEN = known_shape(
    "netlify_token",
    ("nfp_", "nfc_", "nfo_", "nfu_"),
    START + r"nf[pcou]_[A-Za-z0-9]{36,40}",
    least=12,
)
