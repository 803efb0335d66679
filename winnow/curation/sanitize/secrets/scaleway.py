"""Access key ids of Scaleway."""

from winnow.curation.sanitize.secrets.known_shape import known_shape, with_digits

SCALEWAY_KEY = known_shape(
    "scaleway_key_id",
    ("SCW",),
    r"(?<![A-Z0-9_])SCW[A-Z0-9]{17}(?![A-Z0-9_])",
    accept=with_digits,
)
