"""Tokens of Clojars."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

CLOJARS_TOKEN = known_shape(
    "clojars_token",
    ("CLOJARS_",),
    r"CLOJARS_[a-zA-Z0-9]{60}",
)
