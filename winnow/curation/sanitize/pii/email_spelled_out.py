"""E-mail addresses that were spelled out to hide them from robots: `ann (at) site (dot) org`, `ann [at] site.org`.

The bare words `at` and `dot` count only together or before a name that providers have, since a sentence uses them too.
"""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.email_address import is_domain, is_reserved

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_.%+-]{0,62}[A-Za-z0-9])?"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?"
_AT = r" ?(?:\((?:at|AT|@)\)|\[(?:at|AT|@)\]|\{(?:at|AT)\}|<(?:at|AT)>) ?"
_DOT = r" ?(?:\((?:dot|DOT|\.)\)|\[(?:dot|DOT|\.)\]|\{(?:dot|DOT)\}|<(?:dot|DOT)>) ?| (?:dot|DOT) |\."
_BRACKETED = re.compile(rf"(?<![\w.@-]){_NAME}{_AT}{_LABEL}(?:(?:{_DOT}){_LABEL}){{1,5}}(?![\w@])")
_WORDS = re.compile(
    rf"(?<![\w.@-]){_NAME}(?: (?:dot|DOT) {_NAME}){{0,2}} (?:at|AT) {_LABEL}(?: (?:dot|DOT) {_LABEL}){{1,4}}(?![\w@])"
)
_PROVIDER_WORDS = (
    "gmail googlemail hotmail yahoo outlook protonmail icloud aol gmx yandex proton mailbox fastmail"
)
_PROVIDERS = "|".join(_PROVIDER_WORDS.split())
_PROVIDER = re.compile(
    rf"(?<![\w.@-]){_NAME} (?:at|AT) (?:{_PROVIDERS})\.[a-z]{{2,3}}(?:\.[a-z]{{2}})?(?![\w@])"
)
_SPLIT = re.compile(rf"{_AT}| (?:at|AT) ")


def search(text: str) -> Iterator[tuple[int, int]]:
    """Spelled-out addresses whose domain could be one and is not kept for examples."""
    spans = {m.span() for form in (_BRACKETED, _WORDS, _PROVIDER) for m in form.finditer(text)}
    for start, end in sorted(spans):
        domain = re.sub(_DOT, ".", _SPLIT.split(text[start:end], maxsplit=1)[1]).lower()
        if is_domain(domain) and not is_reserved(domain):
            yield start, end


EMAIL_SPELLED_OUT = Detector(
    "email_address",
    "spelled_out",
    (),
    search,
    trigger=r"(?i)[(\[{<](?:at|@)[)\]}>]| at [a-z0-9-]{1,32} dot " + rf"| at (?:{_PROVIDERS})\.",
    scope="prose",
    confidence=0.8,
)
