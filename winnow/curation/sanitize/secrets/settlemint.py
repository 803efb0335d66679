"""Tokens of SettleMint."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

SETTLEMINT_TOKEN = known_shape(
    "settlemint_token",
    ("sm_aat_", "sm_pat_", "sm_sat_"),
    r"sm_[aps]at_[A-Za-z0-9]{16}",
)
