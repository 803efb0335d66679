"""Private and shared keys of WireGuard: 32 bytes in base64 behind their name."""

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.secrets.known_shape import varied_body

WIREGUARD_KEY = Detector(
    "private_key",
    "wireguard",
    ("PrivateKey", "PresharedKey", "PreSharedKey"),
    pattern(r"(?:Private|Pre[Ss]hared)Key[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{43}=)", 1),
    varied_body(12),
)
