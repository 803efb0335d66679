"""Secret keys of age, in bech32 letters."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

AGE_KEY = known_shape(
    "age_key",
    ("AGE-SECRET-KEY-1",),
    r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}",
)
