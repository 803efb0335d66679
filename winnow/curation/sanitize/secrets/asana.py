"""Personal tokens of Asana."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

ASANA_TOKEN = known_shape(
    "asana_token",
    (),
    r"(?<![0-9/.])[12]/[0-9]{13,20}(?:/[0-9]{13,20})?:[0-9a-f]{32}(?![0-9a-f])",
    trigger=r"[12]/[0-9]{13}",
)
