"""Keys of Octopus Deploy."""

from winnow.curation.sanitize.secrets.known_shape import END, START, known_shape, with_digits

OCTOPUS_KEY = known_shape(
    "octopus_key",
    ("API-",),
    START + r"API-[A-Z0-9]{26}" + END,
    accept=with_digits,
)
