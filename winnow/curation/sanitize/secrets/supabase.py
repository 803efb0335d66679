"""Keys of Supabase: access tokens and secret keys."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

SUPABASE_TOKEN = known_shape(
    "supabase_token",
    ("sbp_",),
    START + r"sbp_(?:v0_|oauth_)?[0-9a-f]{40}",
)
SUPABASE_SECRET = known_shape(
    "supabase_secret",
    ("sb_secret_",),
    r"sb_secret_[A-Za-z0-9_-]{30,60}",
)
