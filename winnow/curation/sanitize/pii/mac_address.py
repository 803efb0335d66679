"""Hardware addresses of network devices (EUI-48), in pairs or as Cisco's three groups of four.

Policy, not redacted: broadcast, the empty address, groups (the lowest bit of the first pair), and the range that
RFC 7042 keeps for documentation.
"""

import re

from winnow.curation.sanitize.detector import Detector, pattern

_PAIR = "[0-9A-Fa-f]{2}"
_MAC = (
    r"(?<![0-9A-Za-z_])(?<![0-9A-Fa-f][:.\-])(?<!::)"
    rf"(?:{_PAIR}(?P<between>[:-])(?:{_PAIR}(?P=between)){{4}}{_PAIR}|(?:[0-9A-Fa-f]{{4}}\.){{2}}[0-9A-Fa-f]{{4}})"
    r"(?![0-9A-Za-z_]|[:.\-][0-9A-Fa-f])"
)


def is_device(value: str) -> bool:
    """Whether an address belongs to one device."""
    digits = re.sub("[^0-9a-f]", "", value.lower())
    if "." in value and digits.isdigit():
        return False
    return len(set(digits)) > 1 and digits[:10] != "00005e0053"


MAC_ADDRESS = Detector(
    "mac_address",
    "eui48",
    (),
    pattern(_MAC),
    is_device,
    rf"{_PAIR}[:-]{_PAIR}[:-]{_PAIR}[:-]{_PAIR}|[0-9A-Fa-f]{{4}}\.[0-9A-Fa-f]{{4}}\.",
)
