"""The key under which evidence is fingerprinted: made once a lake, kept in the restricted zone."""

import secrets

from winnow.lake.zone import Zone

_PATH = "_keys/fingerprint"


def fingerprint_key(restricted: Zone) -> bytes:
    """32 secret bytes, the same for every process of this lake; the first caller makes them."""
    # looked for first: a store that ignores put-if-absent would make another key each time
    if not restricted.exists(_PATH):
        restricted.put_if_absent(_PATH, secrets.token_bytes(32))
    return restricted.read_bytes(_PATH)
