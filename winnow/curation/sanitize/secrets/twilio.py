"""Twilio: API keys and account ids, which only together with a key open anything but are secret by custom."""

from winnow.curation.sanitize.secrets.known_shape import known_shape, with_digits

TWILIO_KEY = known_shape(
    "twilio_key",
    ("SK", "AC"),
    r"(?<![A-Za-z0-9_])(?:SK|AC)(?:[0-9a-f]{32}|[0-9a-z]{32})(?![A-Za-z0-9_])",
    accept=with_digits,
    trigger=r"(?:SK|AC)[0-9a-z]{32}",
)
