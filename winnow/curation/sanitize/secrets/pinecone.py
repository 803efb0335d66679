"""Keys of Pinecone."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

PINECONE_KEY = known_shape(
    "pinecone_key",
    ("pcsk_",),
    r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}",
)
