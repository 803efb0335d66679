"""Tokens of SonarQube."""

from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.known_shape import START, known_shape

SONAR_TOKEN = known_shape(
    "sonar_token",
    ("squ_", "sqp_", "sqa_"),
    START + r"sq[upa]_[0-9a-f]{40}",
)
SONAR_LOGIN = known_shape(
    "sonar_login",
    ("sonar.login", "SONAR_LOGIN", "sonar_login"),
    r"(?i:sonar[._]login)[\"']?[ \t]{0,3}[:=][ \t\"']{0,4}([0-9a-f]{40})(?![0-9A-Za-z])",
    group=1,
    trigger=f"{either_case('sonar')}[._]{either_case('login')}",
)
