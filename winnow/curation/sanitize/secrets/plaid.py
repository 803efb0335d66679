"""Access tokens of Plaid."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PLAID_TOKEN = known_shape(
    "plaid_token",
    ("access-",),
    r"access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    trigger=r"access-(?:sandbox|development|production)-",
)
