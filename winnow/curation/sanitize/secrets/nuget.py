"""Keys of NuGet."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape

NUGET_KEY = known_shape(
    "nuget_key",
    ("oy2",),
    r"(?<![A-Za-z0-9_+/-])oy2[a-z0-9]{43}(?![A-Za-z0-9_+/=-])",
    accept=drawn,
)
