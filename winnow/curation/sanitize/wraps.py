"""Where one value goes on in another literal or on another line."""

import re
from collections.abc import Iterator

from winnow.curation.sanitize.secrets.randomness import word_share

_BLANK = r"(?:[ \t]|\\?\r?\n|(?:#|//)[^\n\"'`]{0,100}(?=\r?\n)){0,200}+"
_LITERALS = (
    r"(?P<literals>\\?[\"'`]" + _BLANK + r"(?:(?:\+|\.\.?|&|\|\||<<|~)" + _BLANK + r")?+"
    r"(?:(?:[rRbBuUfFL]{1,2}|[@$])(?=[\"']))?\\?[\"'`])"
)
_CONTINUED = r"(?P<continued>\\\r?\n[ \t]{0,200}+)"
_IN_CHARS = r"A-Za-z0-9+/=_.~%$:|!@-"
_WRAPPED = (
    rf"(?P<wrapped>(?<=[{_IN_CHARS}])(?:\r?\n)[ \t]{{0,200}}+(?:(?:[#>*;|]|//|--)[ \t]{{1,4}}+)?)"
    rf"(?P<fragment>[{_IN_CHARS}]{{1,512}}+)(?![ \t]{{0,4}}[=:(\[{{.])"
)
_GLUE = re.compile(f"(?=[\\\\\"'`\r\n])(?:{_LITERALS}|{_CONTINUED}|{_WRAPPED})")
_INNER = re.compile(rf"[{_IN_CHARS}]")
_LAST = re.compile(rf"[{_IN_CHARS}]{{1,64}}+\Z")
_ALONE = re.compile(r"[\"'`),;\]}<]{0,4}[ \t]*(?:\r?\n|\Z)")
_ASSIGNED = re.compile(r"[-+*]{0,2}[\"']?[A-Za-z_][\w.\-]{0,63}[\"']?(?::\Z|[=:](?!=*\Z))")
"""A fragment that names something itself: MAIL_HOST=x, port: (and not the padding at the end of base64)."""
_NEXT_NAME = re.compile(r"[^\"'`\r\n]{1,64}[\"'`][ \t]*[=:]")
_TELLING = 8
"""From how many characters on a run is seen not to be words."""
_KEYWORD_WORDS = """
begin done else end endif eof eos eot esac exit false fi here null pass sql true
"""
_KEYWORDS = frozenset(_KEYWORD_WORDS.split())


def glue(text: str) -> Iterator[tuple[int, int]]:
    r"""Half-open spans that separate the parts of a value, ascending.

    Literals side by side or under an operator; a line ended by a backslash; a line that ends in what a token is made
    of, before one that begins with more of it and not with a word.

    >>> [(text[:s], text[e:]) for text in ('"gh" + "p"', "ghp_x9Kq27\nQ4z") for s, e in glue(text)]
    [('"gh', 'p"'), ('ghp_x9Kq27', 'Q4z')]
    """
    at = 0
    while match := _GLUE.search(text, at):
        at = match.end()
        if match["literals"] is not None:
            if not _is_empty_literal(text, *match.span()) and not _is_next_entry(text, match):
                yield match.span()
        elif match["continued"] is not None:
            yield match.span()
        else:
            at = match.end("wrapped")
            if _goes_on(text, match):
                yield match.span("wrapped")


def _is_empty_literal(text: str, start: int, end: int) -> bool:
    """Whether two quotes are an empty literal or half of a triple quote, and not a seam as in `ab""cd`."""
    if end - start != 2 or text[start] != text[start + 1]:
        return False
    return not (_INNER.match(text[start - 1 : start]) and _INNER.match(text, end))


def _is_assignment(fragment: str) -> bool:
    named = _ASSIGNED.match(fragment)
    return named is not None and not _is_telling(named.group().rstrip("=:"))


def _is_next_entry(text: str, match: re.Match[str]) -> bool:
    """Whether the literal on the next line is the name of another value."""
    return "\n" in match["literals"] and _NEXT_NAME.match(text, match.end()) is not None


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether a line and the fragment that begins the next share a token, and not a sentence."""
    fragment = match["fragment"]
    if fragment.rstrip(".-=").lower() in _KEYWORDS or _is_assignment(fragment):
        return False
    if _is_telling(fragment):
        return True
    before = _LAST.search(text, max(0, match.start() - 64), match.start())
    if before is None or not _is_telling(before.group()):
        return False
    # What is neither a word nor random is the tail of a value only where nothing else is on its line
    tells = any(c.isalnum() for c in fragment) or not fragment.strip("=")
    return tells and _ALONE.match(text, match.end()) is not None


def _is_telling(run: str) -> bool:
    """Whether a run of characters is seen not to be words."""
    long = len(run) >= 2 * _TELLING and any(c.isdigit() for c in run)
    return len(run) >= _TELLING and word_share(run) < (0.75 if long else 0.6)
