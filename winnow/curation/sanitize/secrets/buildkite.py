"""Tokens of Buildkite, of users and agents."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

BUILDKITE_TOKEN = known_shape(
    "buildkite_token",
    ("bkua_", "bkaa_"),
    r"bk[ua]a_[0-9a-f]{40}",
)
