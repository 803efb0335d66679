"""Keys of NVIDIA's hosted models."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

NVIDIA_KEY = known_shape(
    "nvidia_key",
    ("nvapi-",),
    r"nvapi-[A-Za-z0-9_-]{60,70}",
)
