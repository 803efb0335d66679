"""Keys of Tailscale."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

TAILSCALE_KEY = known_shape(
    "tailscale_key",
    ("tskey-",),
    r"tskey-(?:[a-z]{2,10}-)?[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}",
)
