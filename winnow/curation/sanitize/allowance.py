"""Whether a found value is public on purpose."""

from collections.abc import Callable
from ipaddress import ip_address, ip_network

from winnow.curation.sanitize.config import Allowed
from winnow.curation.sanitize.scan import Hit


def allowance(allowed: Allowed) -> Callable[[Hit], bool]:
    """A test of hits: true for what is to stay."""
    values = frozenset(allowed.values)
    domains = tuple(domain.lower() for domain in allowed.email_domains)
    networks = [ip_network(network) for network in allowed.networks]

    def stays(hit: Hit) -> bool:
        if hit.value in values:
            return True
        if hit.detector.category == "email_address":
            domain = hit.value.rpartition("@")[2].lower()
            return any(domain == public or domain.endswith(f".{public}") for public in domains)
        if hit.detector.category == "ip_address" and networks:
            try:
                address = ip_address(hit.value.partition("/")[0])
            except ValueError:
                return False
            return any(address in network for network in networks if network.version == address.version)
        return False

    return stays
