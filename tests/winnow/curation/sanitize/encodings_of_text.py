"""The ways in which a text hides in another: each takes a text and returns one that still says it."""

import base64
import json
import textwrap
from collections.abc import Callable
from urllib.parse import quote

Encoding = Callable[[str], str]


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def _mime(text: str) -> str:
    return base64.encodebytes(text.encode()).decode().rstrip("\n")


SPELLED: dict[str, Encoding] = {
    "json": lambda text: json.dumps(text)[1:-1],
    "json-slashes": lambda text: json.dumps(text)[1:-1].replace("/", r"\/"),
    "unicode-escapes": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "hex-escapes": lambda text: "".join(f"\\x{ord(c):02x}" for c in text),
    "octal-escapes": lambda text: "".join(f"\\{ord(c):03o}" for c in text),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "url": lambda text: quote(text, safe=""),
    "url-all": lambda text: "".join(f"%{ord(c):02X}" for c in text),
}
"""Character by character, of any text."""
PACKED: dict[str, Encoding] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64-url-unpadded": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64-mime": _mime,
    "base64-64": lambda text: "\n".join(textwrap.wrap(base64.b64encode(text.encode()).decode(), 64)),
    "base64-of-a-file": lambda text: base64.b64encode(
        f"# settings\nhost = 'é'\n{text}\nend\n".encode()
    ).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex-upper": lambda text: text.encode().hex().upper(),
    "hex-spaced": lambda text: text.encode().hex(" "),
}
"""As a whole, of any text."""
SPLIT: dict[str, Encoding] = {
    "backslash": lambda text: "\\\n    ".join(_pieces(text, 17)),
    "hard-wrap": lambda text: "\n".join(_pieces(text, 20)),
    "hard-wrap-indented": lambda text: "\n    ".join(_pieces(text, 24)),
    "hard-wrap-commented": lambda text: "\n# ".join(_pieces(text, 24)),
    "literals-lines": lambda text: '"\n    "'.join(_pieces(text, 15)),
    "literals-backslash": lambda text: '" \\\n    "'.join(_pieces(text, 15)),
    "literals-crlf": lambda text: "'\r\n  '".join(_pieces(text, 15)),
    "plus": lambda text: '" + "'.join(_pieces(text, 4)),
    "plus-line": lambda text: '" +\n        "'.join(_pieces(text, 16)),
    "line-plus": lambda text: "'\n        + f'".join(_pieces(text, 16)),
    "dot": lambda text: "' . '".join(_pieces(text, 9)),
    "shell": lambda text: '""'.join(_pieces(text, 6)),
    "shell-mixed": lambda text: "'\"".join(_pieces(text, 60)),
}
"""In parts, of a text that is one token: what is inside quotes goes on in others, or on the next line."""
