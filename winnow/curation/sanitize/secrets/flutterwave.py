"""Keys of Flutterwave."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

FLUTTERWAVE_KEY = known_shape(
    "flutterwave_key",
    ("FLWSECK",),
    r"FLWSECK(?:_TEST)?-[0-9a-h]{12,32}(?:-X)?",
    least=6,
)
