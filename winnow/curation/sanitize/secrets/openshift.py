"""Tokens of OpenShift users; the prefix names a hash, a tilde tells them from digests."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

OPENSHIFT_TOKEN = known_shape(
    "openshift_token",
    ("sha256~",),
    r"sha256~[A-Za-z0-9_-]{43}",
    least=14,
)
