"""Private values in every disguise in which text carries them, and the bytes by which any of them would be seen."""

import base64
import binascii
import json
import random
import string
import urllib.parse
import zlib
from collections.abc import Callable, Iterator

_RANDOM = random.Random(20261130)
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def _drawn(length: int, alphabet: str = _BASE62) -> str:
    return "".join(_RANDOM.choices(alphabet, k=length))


def _github() -> str:
    """A classic token: its last six characters are the CRC-32 of those before, in base 62."""
    body, checksum, tail = _drawn(30), 0, ""
    checksum = zlib.crc32(body.encode())
    while checksum:
        checksum, digit = divmod(checksum, 62)
        tail = _BASE62[digit] + tail
    return f"ghp_{body}{tail.rjust(6, '0')}"


def _jwt() -> str:
    parts = [json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps({"sub": _drawn(8), "admin": True})]
    coded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*coded, _drawn(43)])


SECRETS = {
    "token": _github(),
    "slack": f"xoxb-{_drawn(12, string.digits)}-{_drawn(12, string.digits)}-{_drawn(24)}",
    "jwt": _jwt(),
    "webhook": f"https://hooks.slack.com/services/T{_drawn(8).upper()}/B{_drawn(8).upper()}/{_drawn(24)}",
    "email": "ottilie.quendler@brackwater-systems.io",
}
PERSONAL = {
    "phone": ("Call me at {} tomorrow.", "+49 30 901820 47"),
    "card": ("The card {} was charged.", "5356 8909 2536 3056"),
    "iban": ("Pay to IBAN {} please.", "GB56HXDO88167774656119"),
    "ssn": ("Her social security number is {}.", "588-46-6702"),
    "address": ("The server 86.121.97.248 is {}.", "86.121.97.248"),
    "person": ("My name is {} and I live in Lisbon.", "Margarethe Lindqvist"),
}


def _joined(value: str) -> str:
    half = len(value) // 2
    return f'key = "{value[:half]}" + "{value[half:]}"'


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda value: f'key = "{value}"',
    "escaped": lambda value: "key = " + "".join(f"\\u{ord(c):04x}" for c in value).join('""'),
    "url": lambda value: "GET /?next=" + "".join(f"%{ord(c):02X}" for c in value) + "&page=2",
    "joined": _joined,
    "wrapped": lambda value: f'key = "{value[:20]}\\\n{value[20:]}"',
    "base64": lambda value: f"blob: {base64.b64encode(f'key={value}'.encode()).decode()}",
    "hex": lambda value: f"blob: {value.encode().hex()}",
    "base64 of json": lambda value: (
        "data: " + base64.b64encode(json.dumps({"host": "db", "key": value}).encode()).decode()
    ),
}


def planted_texts() -> Iterator[tuple[str, str]]:
    """Name and text of a row for each value in each disguise."""
    for name, value in SECRETS.items():
        for disguise, write in DISGUISES.items():
            yield f"{name} {disguise}", f"# settings of {name}\n{write(value)}\nprint(key)\n"
    for name, (sentence, value) in PERSONAL.items():
        yield name, sentence.replace("{}", value) if "{}" in sentence else sentence


def traces(value: str) -> set[bytes]:
    """Bytes that show a value or half of it, in any disguise."""
    half = len(value) // 2
    found = {value.encode(), urllib.parse.quote(value, safe="").encode(), value.encode().hex().encode()}
    found |= {part.encode() for part in (value[:half], value[half:]) if len(part) >= 10}
    found.add("".join(f"%{ord(c):02X}" for c in value[half:]).encode())
    found.add("".join(f"\\u{ord(c):04x}" for c in value[half:]).encode())
    for shift in range(3):
        coded = base64.b64encode(b"x" * shift + value.encode()).rstrip(b"=")
        found.add(coded[4:-4])  # the letters at both ends depend on what stands beside it
    return {trace for trace in found if len(trace) >= 8}


def readable_by_anyone(data: bytes, value: str) -> list[bytes]:
    """The traces of a value in some bytes; base64 in them is looked into once more."""
    seen = [trace for trace in traces(value) if trace in data]
    for word in data.split():
        if len(word) > 24 and value.encode() in _decoded(word):
            seen.append(word[:8])
    return seen


def _decoded(word: bytes) -> bytes:
    try:
        return base64.b64decode(word.strip(b'",'), validate=True)
    except (binascii.Error, ValueError):
        return b""


ALL = {**SECRETS, **{name: value for name, (_, value) in PERSONAL.items()}}
