"""Keys of Anthropic: API, admin, and the tokens of a login; the kind and its version stand after `sk-ant-`."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

ANTHROPIC_KEY = known_shape(
    "anthropic_key",
    ("sk-ant-",),
    r"sk-ant-(?:[a-z]{2,10}[0-9]{2}-)?[A-Za-z0-9_-]{24,200}",
)
