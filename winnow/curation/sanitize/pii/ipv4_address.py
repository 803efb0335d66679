"""IPv4 addresses and blocks in CIDR notation; by default the public ones (`ip_policy`).

Four numbers with dots are as often a version, a section or an object identifier. What stands before and after tells
them apart; where it says nothing, eight digits or more are an address.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.context import Words, after_span, before_span, stands_alone
from winnow.curation.sanitize.pii.ip_policy import of_kinds

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(
    rf"(?<![0-9A-Za-z_.])(?<![0-9][-,]){_OCTET}(?:\.{_OCTET}){{3}}(?:/(?:3[0-2]|[12]?[0-9])(?![0-9.]))?"
    r"(?![0-9A-Za-z_]|\.[0-9A-Za-z*]|-[0-9A-Za-z])"
)
_ADDRESS = Words(
    """ip ips ipv addr address addresses host hosts hostname server servers connect connected connecting ping
    dns nameserver gateway subnet netmask network cidr proxy peer client remote login ssh telnet route router
    firewall iptables bind listen listening socket attacker scan nmap curl traceroute whois visitor"""
)
_VERSION = Words(
    """version versions ver v release releases released build builds section sections chapter clause paragraph
    figure table appendix identifier oid asn snmp firmware upgrade upgraded downgrade sdk driver kernel chrome chromium
    safari edge firefox opera webkit gecko macos windows assembly revision changelog changes tag dotnet nuget
    requires dependency dependencies package packages update updated bump bumped"""
)
_VERSION_BEFORE = re.compile(r"(?:[=~^<>!]=?|[A-Za-z]/|[A-Za-z]-|§ ?|#)[\"' ]?\Z")
_ARROW = re.compile(r"(?:[-=]>|[0-9] {0,2}>) ?\Z")
"""From one address to the next, as in logs of packets; not a comparison of versions."""
_ADDRESS_BEFORE = re.compile(r"(?:://|@|//)\Z")
_ASSIGNED = re.compile(r"[A-Za-z\"']\s{0,3}=\s?[\"']?\Z")
_ADDRESS_AFTER = re.compile(r":[0-9]{2,5}(?![0-9.])")
_DISTINCT_DIGITS = 8


def search(text: str) -> Iterator[tuple[int, int]]:
    """Addresses of every kind that are no versions; which kinds count is for `accept` to say."""
    for match in _IPV4.finditer(text):
        if _is_address(text, *match.span()):
            yield match.span()


def _is_address(text: str, start: int, end: int) -> bool:
    head, tail = text[max(0, start - 4) : start], text[end : end + 7]
    if _ADDRESS_BEFORE.search(head) or _ADDRESS_AFTER.match(tail):
        return True
    if _VERSION_BEFORE.search(head) and not _ASSIGNED.search(head) and not _ARROW.search(head):
        return False
    said = _said(before_span(text, start, 40).split()[::-1])
    if said is None:
        said = _said(after_span(text, end, 24).split())
    if said is None:
        return "/" in text[start:end] or _long(text[start:end]) or stands_alone(text, start, end)
    return said


def _said(nearest_first: list[str]) -> bool | None:
    """Whether the nearest word that tells anything tells of an address or of a version."""
    for word in nearest_first:
        if _ADDRESS.among(f" {word} "):
            return True
        if _VERSION.among(f" {word} "):
            return False
    return None


def _long(value: str) -> bool:
    return sum(map(str.isdigit, value)) >= _DISTINCT_DIGITS


IPV4_ADDRESS = Detector(
    "ip_address",
    "ipv4",
    (),
    search,
    of_kinds(["public"]),
    r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}",
    confidence=0.8,
)
