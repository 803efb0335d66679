"""Tokens of Typeform."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

TYPEFORM_TOKEN = known_shape(
    "typeform_token",
    ("tfp_",),
    r"(?<![A-Za-z0-9_])tfp_[A-Za-z0-9_.=-]{40,64}",
    accept=drawn,
)
