"""Access key ids of Alibaba Cloud; its secrets are found by name."""

from winnow.curation.sanitize.secrets.known_shape import END, START, drawn, known_shape

ALIBABA_KEY = known_shape(
    "alibaba_key_id",
    ("LTAI",),
    START + r"LTAI[A-Za-z0-9]{12,26}" + END,
    accept=drawn,
)
