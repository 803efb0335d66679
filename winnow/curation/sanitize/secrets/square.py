"""Square: access tokens and application secrets."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape

SQUARE_TOKEN = known_shape(
    "square_token",
    ("sq0csp-", "sq0atp-"),
    r"sq0(?:csp|atp)-[A-Za-z0-9_-]{22,60}",
)
SQUARE_ACCESS_TOKEN = known_shape(
    "square_access_token",
    ("EAAA",),
    START + r"EAAA[A-Za-z0-9_-]{60}" + END,
    least=20,
)
