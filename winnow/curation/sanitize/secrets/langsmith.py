"""Keys of LangSmith, personal and of services."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

LANGSMITH_KEY = known_shape(
    "langsmith_key",
    ("lsv2_",),
    r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
)
