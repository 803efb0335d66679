"""Keys of ElevenLabs."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape

ELEVENLABS_KEY = known_shape(
    "elevenlabs_key",
    ("sk_",),
    START + r"sk_[0-9a-f]{48}" + END,
)
