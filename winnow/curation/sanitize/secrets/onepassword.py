"""1Password: secret keys and tokens of service accounts (base64 of JSON)."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

ONEPASSWORD_KEY = known_shape(
    "onepassword_key",
    ("A3-",),
    r"(?<![A-Za-z0-9-])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9])",
    least=12,
)
ONEPASSWORD_TOKEN = known_shape(
    "onepassword_service_account",
    ("ops_eyJ",),
    r"ops_eyJ[A-Za-z0-9+/_-]{200,2000}={0,3}",
)
