"""API tokens of Okta, which begin with two zeros and stand next to the name or the scheme of their header."""

from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

OKTA_TOKEN = known_shape(
    "okta_token",
    ("okta", "SSWS"),
    r"(?:(?i:okta)[A-Za-z0-9_.-]{0,30}[\"']?[ \t]{0,3}(?:=>|[:=,])[ \t\"']{0,4}|SSWS[ \t]{1,4})"
    r"(00[A-Za-z0-9_-]{40})(?![A-Za-z0-9_-])",
    group=1,
    accept=drawn,
    trigger=rf"(?:{either_case('okta')}[A-Za-z0-9_.-]{{0,30}}[\"']?[ \t]{{0,3}}(?:=>|[:=,])|SSWS[ \t])",
)
