"""Tokens of HubSpot private apps."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

HUBSPOT_TOKEN = known_shape(
    "hubspot_token",
    ("pat-na", "pat-eu", "pat-ap"),
    START + r"pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
)
