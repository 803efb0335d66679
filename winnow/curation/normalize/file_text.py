"""The text of a file's bytes, nothing altered but what is flagged."""

import codecs
import io
import tokenize
from typing import NamedTuple

from winnow.curation.normalize.rules import ParkError


class FileText(NamedTuple):
    """A decoded file and the rules that flag how it was decoded."""

    text: str
    flags: tuple[str, ...]


def decoded(payload: bytes, language: str | None) -> FileText:
    r"""UTF-8, or for Python what PEP 263 lets the file declare. Line ends and all else stay as they are.

    A UTF-8 byte order mark at the start is removed. Raises ParkError: nul-byte (UTF-16 and UTF-32 too),
    invalid-utf8, invalid-encoding.

    >>> decoded(b"# -*- coding: latin-1 -*-\n# \xe9", "python").flags
    ('declared-encoding',)
    """
    if b"\0" in payload:
        raise ParkError("nul-byte")
    body = payload.removeprefix(codecs.BOM_UTF8)
    flags = ("bom-removed",) if len(body) != len(payload) else ()
    encoding = _declared(payload) if language == "python" and not body.isascii() else None
    if encoding is None:
        try:
            return FileText(body.decode("utf-8"), flags)
        except UnicodeDecodeError:
            raise ParkError("invalid-utf8") from None
    return FileText(_by_declaration(body, encoding), (*flags, "declared-encoding"))


def _declared(payload: bytes) -> str | None:
    """The encoding that a Python file declares; None for UTF-8, by default or by name."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(payload).readline)
    except SyntaxError:
        # Without a declaration the fault lies in the bytes, and decoding them names it.
        if b"coding" in b"".join(payload.splitlines(keepends=True)[:2]):
            raise ParkError("invalid-encoding") from None
        return None
    return None if encoding in ("utf-8", "utf-8-sig") else encoding


def _by_declaration(body: bytes, encoding: str) -> str:
    """The text, where encoding it again gives the same bytes; a codec that loses any is refused."""
    try:
        text = body.decode(encoding)
        same = text.encode(encoding) == body
    except (UnicodeError, LookupError, ValueError):
        raise ParkError("invalid-encoding") from None
    if not same:
        raise ParkError("invalid-encoding")
    if "\0" in text:
        raise ParkError("nul-byte")
    return text
