"""Tokens of Fly.io: macaroons and the older kind."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

FLY_TOKEN = known_shape(
    "fly_token",
    ("fm1r_", "fm1a_", "fm2_", "fo1_"),
    r"(?:fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,2000}={0,3}|(?<![A-Za-z0-9_])fo1_[A-Za-z0-9_-]{43})",
    least=16,
)
