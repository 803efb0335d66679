"""IPv6 addresses and blocks; by default the public ones (`ip_policy`).

`a::b` names a member in a dozen languages, `x[::2]` steps through a list and `10:20:30` is a time. An address has
eight groups, or two colons together with enough groups around them, of which one has a digit and four characters.
"""

import ipaddress
import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.ip_policy import of_kinds

_RUN = re.compile(
    r"(?<![0-9A-Za-z_:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]{1,4})?"
    r"(?:%[0-9A-Za-z]{1,15})?(?:/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])(?![0-9]))?(?![0-9A-Za-z_]|:[0-9A-Za-z:]|\.[0-9A-Za-z])"
)
_GROUP = re.compile("[0-9A-Fa-f]{1,4}")


def search(text: str) -> Iterator[tuple[int, int]]:
    """Addresses of every kind; which kinds count is for `accept` to say."""
    for match in _RUN.finditer(text):
        start, end = match.span()
        bare = re.split("[%/]", match.group(), maxsplit=1)[0]
        # "server 2001:470::1: ready" and "see fe80::" at the end of a clause
        if bare.endswith(":") and (bare.endswith(":::") or not bare.endswith("::")):
            bare, end = bare[:-1], end - 1
        if _is_address(bare) and (_is_plain(bare) or "/" in match.group()):
            yield start, end


def _is_address(bare: str) -> bool:
    try:
        ipaddress.IPv6Address(bare)
    except ValueError:
        return False
    return True


def _is_plain(bare: str) -> bool:
    """Whether it reads as an address to anyone: a dotted tail, or groups enough and one that is not a short word."""
    if "." in bare:
        return True
    groups = _GROUP.findall(bare)
    if "::" not in bare:
        return any(len(group) >= 3 for group in groups)
    long = [group for group in groups if len(group) == 4 and any(map(str.isdigit, group))]
    return bool(long) and (len(groups) >= 3 or bare[:1] in ("2", "3", "f", "F"))


IPV6_ADDRESS = Detector(
    "ip_address",
    "ipv6",
    (),
    search,
    of_kinds(["public"]),
    r"[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}|[0-9A-Fa-f]{3,4}::|::[0-9A-Fa-f]{1,4}",
    confidence=0.9,
)
