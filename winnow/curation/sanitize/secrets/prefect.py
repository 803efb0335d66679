"""Keys of Prefect, of users and of bots."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

PREFECT_KEY = known_shape(
    "prefect_key",
    ("pnu_", "pnb_"),
    START + r"pn[ub]_[A-Za-z0-9]{36}",
    least=10,
)
