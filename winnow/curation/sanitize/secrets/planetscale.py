"""PlanetScale: tokens, OAuth tokens, passwords of databases."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PLANETSCALE_TOKEN = known_shape(
    "planetscale_token",
    ("pscale_tkn_", "pscale_oauth_", "pscale_pw_", "pscale_app_"),
    r"pscale_(?:tkn|oauth|pw|app)_[A-Za-z0-9_.=-]{32,64}",
)
