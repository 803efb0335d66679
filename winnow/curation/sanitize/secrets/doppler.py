"""Tokens of Doppler: personal, service, CLI, account and audit."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DOPPLER_TOKEN = known_shape(
    "doppler_token",
    ("dp.",),
    r"(?<![A-Za-z0-9_])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    trigger=r"dp\.(?:pt|st|ct|sa|scim|audit)\.",
)
