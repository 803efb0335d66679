"""Tokens of Packagist, of users, organisations and mirrors."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PACKAGIST_TOKEN = known_shape(
    "packagist_token",
    ("packagist_",),
    r"packagist_[a-z]{2,4}_[0-9a-f]{30,72}",
)
