"""Tokens of Braintree and PayPal."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

BRAINTREE_TOKEN = known_shape(
    "braintree_token",
    ("access_token$",),
    r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
)
