"""Whether the value of a secret-named key is one, by what the name announces."""

import re

from winnow.curation.sanitize.secrets.placeholder import is_placeholder
from winnow.curation.sanitize.secrets.randomness import is_hex, is_uuid, looks_random, word_share
from winnow.curation.sanitize.secrets.secret_name import Kind

_OTHER = re.compile(
    r"(?i:(?:sha-?[0-9]{1,3}|md5|blake2[bs]?|h1)[-:=])|AAAA[BCE][0-9A-Za-z]|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]|$)"
    r"|[^+/]*?(?<![0-9])[0-9]{1,4}\.[0-9]{1,4}\.[0-9]"
)
"""Digests, public SSH keys, times, versions."""
_PATH = re.compile(
    r"(?:\.{0,2}|~|[A-Za-z]:)[\\/][\w.\\/-]*|[a-z][a-z0-9+.-]*://.*|.*\.(?:pem|key|crt|json|ya?ml|txt|py|js|env|conf|cfg)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_]*(?:(?:\.|->|::|-)[A-Za-z_$][A-Za-z0-9_]*)*")
_DOTTED = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]{0,24}\.)+[A-Za-z_][A-Za-z0-9_]{0,24}")
_SYNTAX = re.compile(r"[\[\](){}\\|<>?,;'\"`]")
"""What drawn secrets are not made of, and expressions are."""
_LONGEST_PASSWORD = 128


def is_secret(value: str, kind: Kind, strict: bool = False, bare: bool = False) -> bool:
    """Whether a value is what its name announces.

    `strict` where the name and the value may belong to different things, `bare` where the value has no quotes and
    may be an expression.

    >>> [is_secret(v, "password", bare=True) for v in ("h0pk1ns~21s", "somefakekey", "args.password2")]
    [True, False, False]
    >>> is_secret("3a16750d-d363-41a4-8ebd-035408f7730f", "secret"), is_secret("SalesResults-1.2", "key")
    (True, False)
    """
    if len(value) > _LONGEST_PASSWORD and (kind == "password" or (bare and "=" in value.rstrip("="))):
        return False
    if not value.isprintable() or " " in value or _OTHER.match(value) or is_placeholder(value):
        return False
    if _PATH.fullmatch(value) and not (kind == "secret" and looks_random(value, 32)):
        return False
    if kind == "password":
        return _is_password(value, strict, bare)
    if _SYNTAX.search(value):
        return (
            not bare and not strict and len(value) >= 32 and looks_random(value) and word_share(value) < 0.4
        )
    if bare and _DOTTED.fullmatch(value):
        return False
    if is_uuid(value):
        return kind == "secret" or (kind == "key" and not strict)
    if is_hex(value):
        return kind != "weak" and len(value) >= (16 if kind == "secret" else 24) and len(set(value)) >= 6
    if kind == "secret" and value.isalnum() and len(value) >= 14 and sum(map(str.isdigit, value)) >= 2:
        return word_share(value) < 0.75
    least = {"secret": 10, "key": 16, "weak": 20}[kind]
    return looks_random(value, least) and not (
        bare and _IDENTIFIER.fullmatch(value) and word_share(value) > 0.3
    )


def _is_password(value: str, strict: bool, bare: bool) -> bool:
    """Six characters or more of several kinds, or drawn; an identifier or a word is what code has in that place."""
    if len(value) < 6:
        return False
    if looks_random(value, 8) or (is_hex(value) and len(value) >= 8):
        return True
    if len(value) >= 8 and value.isalpha() and not strict and not bare and word_share(value) < 0.2:
        return True
    kinds = (str.isdigit, str.islower, str.isupper, lambda c: not c.isalnum() and c not in "_-. ")
    present = [any(map(kind, value)) for kind in kinds]
    if (
        not any(present[1:3])
        or (strict and "=" in value)
        or (_IDENTIFIER.fullmatch(value) and (bare or strict or not present[0]))
    ):
        return False
    return sum(present) >= (3 if strict else 2) and (present[0] or (present[3] and not bare))
