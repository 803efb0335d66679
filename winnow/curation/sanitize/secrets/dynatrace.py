"""Tokens of Dynatrace."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

DYNATRACE_TOKEN = known_shape(
    "dynatrace_token",
    ("dt0",),
    r"dt0[a-zA-Z][0-9]{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}",
    trigger=r"dt0[a-zA-Z][0-9]{2}\.",
)
