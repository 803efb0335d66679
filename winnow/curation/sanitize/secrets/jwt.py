"""JSON Web Tokens: two base64url JSON objects and, where the token is signed, the signature (RFC 7519)."""

from winnow.curation.sanitize.detector import START, Detector, pattern

JWT = Detector(
    "jwt",
    "signed_or_plain",
    ("eyJ",),
    pattern(START + r"eyJ[A-Za-z0-9_-]{8,}+\.eyJ[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+)?"),
)
