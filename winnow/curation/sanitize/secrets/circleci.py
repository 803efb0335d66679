"""Tokens of CircleCI, personal and of projects."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

CIRCLECI_TOKEN = known_shape(
    "circleci_token",
    ("CCIPAT_", "CCIPRJ_"),
    r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,32}_[0-9a-f]{40}",
)
