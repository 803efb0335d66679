"""Keys of E2B."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape

E2B_KEY = known_shape(
    "e2b_key",
    ("e2b_",),
    START + r"e2b_[0-9a-f]{40}" + END,
)
