"""Which IP addresses are private data: by default those that a machine on the internet can have."""

import ipaddress
from collections.abc import Callable, Collection
from typing import Literal

Kind = Literal["public", "private", "loopback", "documentation", "special"]
KINDS: tuple[Kind, ...] = ("public", "private", "loopback", "documentation", "special")

_DOCUMENTATION = tuple(
    ipaddress.ip_network(block)
    for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)
_PRIVATE = tuple(
    ipaddress.ip_network(block)
    for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10")
)
_NOBODY_WORDS = """
1.0.0.1 1.1.1.1 1.2.3.4 4.3.2.1 5.6.7.8 8.8.4.4 8.8.8.8 9.9.9.9 149.112.112.112 208.67.220.220
12.34.56.78 208.67.222.222 2001:4860:4860::8844 2001:4860:4860::8888 2606:4700:4700::1001
2606:4700:4700::1111 2620:fe::fe
"""
_NOBODY = frozenset(map(ipaddress.ip_address, _NOBODY_WORDS.split()))
"""Resolvers that everybody uses, and what stands for any address in examples."""


def kind_of(value: str) -> Kind:
    """The kind of an address or block; an IPv4 address inside an IPv6 address decides for it.

    `special` are link-local, multicast, reserved and unspecified addresses, masks, blocks of a
    continent (shorter than /8, for IPv6 /24), the public resolvers and what examples use for any address.

    >>> kind_of("93.184.216.34"), kind_of("192.168.1.1/32"), kind_of("2001:db8::/32"), kind_of("8.8.8.8")
    ('public', 'private', 'documentation', 'special')
    """
    bare, _, prefix = value.partition("%")[0].partition("/")
    address = ipaddress.ip_address(bare)
    if isinstance(address, ipaddress.IPv6Address):
        inner = _embedded(address, bare)
        if inner is not None:
            return kind_of(str(inner))
    if any(address in network for network in _DOCUMENTATION if network.version == address.version):
        return "documentation"
    if address.is_loopback:
        return "loopback"
    if any(address in network for network in _PRIVATE if network.version == address.version):
        return "private"
    if address.is_link_local or address.is_multicast or address.is_unspecified or address in _NOBODY:
        return "special"
    if not address.is_global or (address.version == 4 and address.is_reserved):
        return "special"
    if prefix and int(prefix) < (8 if address.version == 4 else 24):
        return "special"
    return "public"


def _embedded(address: ipaddress.IPv6Address, written: str) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if "." in written:
        return ipaddress.IPv4Address(written.rpartition(":")[2])
    return None


def of_kinds(kinds: Collection[Kind]) -> Callable[[str], bool]:
    """What `accept` of the IP detectors is where a profile asks for other kinds than the public ones.

    >>> of_kinds(["public", "private"])("10.0.0.1"), of_kinds(["public"])("10.0.0.1")
    (True, False)
    """
    wanted = frozenset(kinds)

    def accept(value: str) -> bool:
        return kind_of(value) in wanted

    return accept
