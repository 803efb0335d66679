"""Tokens of Atlassian and Bitbucket."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

ATLASSIAN_TOKEN = known_shape(
    "atlassian_token",
    ("ATATT3", "ATCTT3", "ATSTT3"),
    r"AT[ACS]TT3[A-Za-z0-9_=-]{60,220}",
)
BITBUCKET_PASSWORD = known_shape(
    "bitbucket_app_password",
    ("ATBB",),
    START + r"ATBB[A-Za-z0-9]{32}",
    least=12,
)
TRELLO_TOKEN = known_shape(
    "trello_token",
    ("ATTA",),
    START + r"ATTA[0-9a-f]{64}[0-9A-F]{8}",
)
