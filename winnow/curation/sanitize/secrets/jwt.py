"""JSON Web Tokens (RFC 7519), signed, plain and encrypted: a header that decodes, and what follows it."""

import base64
import binascii
import json

from winnow.curation.sanitize.detector import START, Detector, pattern


def _json(part: str) -> object:
    try:
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError, binascii.Error):
        return None


def _is_token(value: str) -> bool:
    """Whether the header is a JSON object that names what it is, and a payload that is not encrypted begins as one."""
    head, payload, *_ = value.split(".")
    header = _json(head)
    if not isinstance(header, dict) or not {"alg", "typ", "enc", "kid"} & header.keys():
        return False
    return "enc" in header or payload.startswith("eyJ")


JWT = Detector(
    "jwt",
    "signed_or_plain",
    ("eyJ",),
    pattern(
        START + r"eyJ[A-Za-z0-9_-]{8,}+\.(?:eyJ[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+)?"
        r"|[A-Za-z0-9_-]*+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+)"
    ),
    _is_token,
    r"eyJ[A-Za-z0-9_-]{8}",
)
