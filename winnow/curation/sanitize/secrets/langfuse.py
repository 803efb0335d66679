"""Secret keys of Langfuse."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

LANGFUSE_KEY = known_shape(
    "langfuse_key",
    ("sk-lf-",),
    r"sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
)
