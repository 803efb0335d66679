"""Tokens of Shopify: admin, custom and private apps, shared secrets, partners."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SHOPIFY_TOKEN = known_shape(
    "shopify_token",
    ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_", "shpua_"),
    r"shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}",
)
