"""Tokens of DigitalOcean: personal, OAuth and refresh."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DIGITALOCEAN_TOKEN = known_shape(
    "digitalocean_token",
    ("dop_v1_", "doo_v1_", "dor_v1_"),
    r"do[opr]_v1_[0-9a-f]{64}",
)
