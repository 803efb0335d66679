"""Tokens of SonarQube."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

SONAR_TOKEN = known_shape(
    "sonar_token",
    ("squ_", "sqp_", "sqa_"),
    START + r"sq[upa]_[0-9a-f]{40}",
)
