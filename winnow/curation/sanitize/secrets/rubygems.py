"""Keys of RubyGems."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

RUBYGEMS_KEY = known_shape(
    "rubygems_key",
    ("rubygems_",),
    r"rubygems_[0-9a-f]{48}",
)
