"""Access key ids of Tencent Cloud."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

TENCENT_KEY = known_shape(
    "tencent_key_id",
    ("AKID",),
    START + r"AKID[A-Za-z0-9]{32}" + END,
    accept=drawn,
)
