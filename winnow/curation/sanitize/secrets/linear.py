"""Keys of Linear."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

LINEAR_KEY = known_shape(
    "linear_key",
    ("lin_api_", "lin_oauth_", "lin_wh_"),
    r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}",
)
