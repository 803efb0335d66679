"""Tokens of Vercel."""

from winnow.curation.sanitize.secrets.known_shape import START, drawn, known_shape

VERCEL_TOKEN = known_shape(
    "vercel_token",
    ("vcp_", "vci_", "vca_", "vcr_", "vck_"),
    START + r"vc[piark]_[A-Za-z0-9]{40,64}",
    accept=drawn,
)
