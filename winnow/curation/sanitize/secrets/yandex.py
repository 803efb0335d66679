"""Keys of Yandex Cloud."""

from winnow.curation.sanitize.secrets.known_shape import START, known_shape

YANDEX_KEY = known_shape(
    "yandex_key",
    ("AQVN",),
    START + r"AQVN[A-Za-z0-9_-]{35,38}",
    least=14,
)
YANDEX_TOKEN = known_shape(
    "yandex_token",
    ("t1.",),
    r"(?<![A-Za-z0-9_])t1\.[A-Za-z0-9_-]{1,400}={0,2}\.[A-Za-z0-9_-]{86}={0,2}",
    least=14,
    trigger=r"t1\.[A-Za-z0-9_-]",
)
