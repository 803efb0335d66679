"""Tokens of Shippo."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SHIPPO_TOKEN = known_shape(
    "shippo_token",
    ("shippo_",),
    r"shippo_(?:live|test)_[0-9a-fA-F]{40}",
)
