"""Keys of ReadMe."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

README_KEY = known_shape(
    "readme_key",
    ("rdme_",),
    r"rdme_[a-z0-9]{70}",
)
