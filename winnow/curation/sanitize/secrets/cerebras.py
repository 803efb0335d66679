"""Keys of Cerebras."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

CEREBRAS_KEY = known_shape(
    "cerebras_key",
    ("csk-",),
    START + r"csk-[A-Za-z0-9]{40,60}",
    least=12,
)
