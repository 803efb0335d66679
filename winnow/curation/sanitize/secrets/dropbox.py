"""Access tokens of Dropbox, short- and long-lived."""

from winnow.curation.sanitize.secrets.known_shape import drawn, known_shape
from winnow.curation.sanitize.secrets.randomness import looks_random

DROPBOX_TOKEN = known_shape(
    "dropbox_token",
    ("sl.",),
    r"(?<![A-Za-z0-9_.])sl\.(?:u\.)?[A-Za-z0-9_=-]{130,1200}",
    accept=drawn,
    trigger=r"sl\.(?:u\.)?[A-Za-z0-9_=-]{130}",
)
DROPBOX_OLD_TOKEN = known_shape(
    "dropbox_long_lived",
    ("AAAAAAAAAA",),
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}(?![A-Za-z0-9+/_-])",
    accept=looks_random,
)
