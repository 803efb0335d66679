"""Keys of Defined Networking."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DEFINED_KEY = known_shape(
    "defined_key",
    ("dnkey-",),
    r"dnkey-[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}",
)
