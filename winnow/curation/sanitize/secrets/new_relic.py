"""Keys of New Relic: user, insert, browser, licence and mobile."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

NEW_RELIC_KEY = known_shape(
    "new_relic_key",
    ("NRAK-", "NRII-", "NRIQ-", "NRJS-", "NRRA-", "NRAA-", "NRSP-"),
    r"NR(?:AK|II|IQ|JS|RA|AA|SP)-[A-Za-z0-9_-]{19,42}",
)
NEW_RELIC_LICENCE = known_shape(
    "new_relic_licence",
    ("NRAL",),
    r"(?<![0-9A-Za-z])(?:eu01xx)?[0-9a-f]{28,36}(?:FFFF)?NRAL(?![0-9A-Za-z])",
    trigger=r"[0-9a-f]{28}(?:FFFF)?NRAL",
)
