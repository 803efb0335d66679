"""Keys of Cloudflare that carry a prefix: origin CA keys and the scannable tokens."""

from winnow.curation.sanitize.secrets.known_shape import START, drawn, known_shape

CLOUDFLARE_ORIGIN_KEY = known_shape(
    "cloudflare_origin_ca",
    ("v1.0-",),
    r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}",
)
CLOUDFLARE_TOKEN = known_shape(
    "cloudflare_token",
    ("cfut_", "cfat_", "cfk_"),
    START + r"cf(?:ut|at|k)_[A-Za-z0-9_-]{40,60}",
    accept=drawn,
)
