"""E-mail addresses of persons.

Policy, not redacted: the domains that RFC 2606 and RFC 6761 reserve for examples and tests, accounts that
belong to no person (git@, noreply@), user names inside URLs, and what only looks like an address because code
multiplies matrices (`q@k.to(device)`) or names an image (`icon@2x.png`).
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector, after_escape

_LOCAL = re.compile(r"[A-Za-z0-9_.%+\-\u00c0-\u024f]+\Z")
_DOMAIN = re.compile(r"[A-Za-z0-9\u00c0-\u024f][A-Za-z0-9.\-\u00c0-\u024f]{2,252}")
_LABEL = re.compile(r"[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\-\u00c0-\u024f]{0,61}[A-Za-z0-9\u00c0-\u024f])?")
_URL_USER = re.compile(r"://[^\s/@]*\Z")
_RESERVED = frozenset({"example", "test", "invalid", "localhost", "local"})
_RESERVED_NAMES = frozenset({"example.com", "example.org", "example.net"})
_OWN = re.compile(r"\b(?i:my|his|her) (?i:e-?mail)(?: (?i:address))?(?: (?i:is))?:? ?\Z")
"""Who gives an address as a person's own means a person, be the domain what it may."""
_ALGORITHMS = frozenset({"openssh.com", "libssh.org"})
"""SSH names its algorithms like addresses: aes256-gcm@openssh.com."""
_NOBODY = frozenset({"git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply"})
_SAMPLE_WORDS = """
abc bar baz dest dst email example foo from mail me name recipient sample sender src test to user
username xxx xyz you your_email youremail yourname
"""
_SAMPLES = frozenset(_SAMPLE_WORDS.split())
_ANYBODYS = frozenset({"gmail.com", "googlemail.com", "hotmail.com", "mail.com", "outlook.com", "yahoo.com"})
"""At providers that are open to all, a sample account is nobody's: src@gmail.com."""
_FILE_ENDINGS_WORDS = """
c cpp css gif gz h htm html ico ini java jpeg jpg js json jsx lock log pdf php png py rb
sql svg toml ts tsx txt webp xml yaml yml zip
"""
_FILE_ENDINGS = frozenset(_FILE_ENDINGS_WORDS.split())
_GENERIC_WORDS = """
academy aero agency app art asia bank berlin bio biz blog care cat center cloud club codes com
company consulting coop design dev digital earth edu education email energy engineering finance
foundation global gmbh gov group guru health info institute int international jobs law legal life
link live london ltd media mil mobi museum name net network news nyc one online org page paris
partners photography plus post press pro pub report school science services shop site social
software solutions space store studio support swiss systems team tech technology tel tips today
tokyo tools top travel university ventures vip website wiki work works world xyz zone
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_BEFORE = 320
"""Longest look back for the user name of a URL, in code points."""


def search(text: str) -> Iterator[tuple[int, int]]:
    """Addresses around each `@`: the local part at most 64 characters, the domain with a known last label."""
    at = text.find("@")
    while at >= 0:
        start = _local_start(text, at)
        end = _domain_end(text, at + 1) if start is not None else None
        if start is not None and end is not None and _is_person(text, start, at, end):
            yield start, end
        at = text.find("@", at + 1)


def _local_start(text: str, at: int) -> int | None:
    match = _LOCAL.search(text[max(0, at - 72) : at])
    if match is None:
        return None
    start = after_escape(text, at - len(match.group()))
    start += len(text[start:at]) - len(text[start:at].lstrip(".%+-"))
    return start if 0 < at - start <= 64 and text[at - 1] != "." else None


def _domain_end(text: str, begin: int) -> int | None:
    match = _DOMAIN.match(text, begin)
    if match is None:
        return None
    domain = match.group().rstrip(".-")
    if is_domain(domain):
        return begin + len(domain)
    # "write to ann@site.org.Then we" ends the address where the sentence ends
    shorter, _, last = domain.rpartition(".")
    return begin + len(shorter) if last[:1].isupper() and is_domain(shorter) else None


def is_domain(domain: str) -> bool:
    """Whether the last label is one that the internet has, and no file ending."""
    labels = domain.split(".")
    last = labels[-1]
    if len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)) or last not in (last.lower(), last.upper()):
        return False
    last = last.lower()
    if last in _FILE_ENDINGS and labels[-2].lower() not in ("com", "org", "net", "edu", "gov"):
        return False
    return (len(last) == 2 and last.isalpha() and last.isascii()) or last in _GENERIC or last[:4] == "xn--"


def is_reserved(domain: str) -> bool:
    """Whether a domain in lower case is kept for examples and tests."""
    return domain.rpartition(".")[2] in _RESERVED or ".".join(domain.split(".")[-2:]) in _RESERVED_NAMES


def _is_person(text: str, start: int, at: int, end: int) -> bool:
    domain = text[at + 1 : end].lower()
    if domain in _ALGORITHMS or (is_reserved(domain) and not _OWN.search(text[max(0, start - 40) : start])):
        return False
    name = text[start:at].lower()
    if name in _NOBODY or (domain in _ANYBODYS and name in _SAMPLES) or text[end : end + 1] in ("(", "["):
        return False
    return not _URL_USER.search(text[max(0, start - _BEFORE) : start])


EMAIL_ADDRESS = Detector("email_address", "address", ("@",), search)
