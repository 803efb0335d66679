"""Keys of Groq."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

GROQ_KEY = known_shape(
    "groq_key",
    ("gsk_",),
    START + r"gsk_[A-Za-z0-9]{48,56}",
    least=12,
)
