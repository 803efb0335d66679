"""Keys of Resend."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape, with_digits

RESEND_KEY = known_shape(
    "resend_key",
    ("re_",),
    START + r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}" + END,
    accept=with_digits,
)
