"""Keys of xAI."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

XAI_KEY = known_shape(
    "xai_key",
    ("xai-",),
    START + r"xai-[A-Za-z0-9]{60,90}",
    least=12,
)
