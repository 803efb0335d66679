"""Values of secret-named variables, keys, elements, options and arguments, in code and in configuration.

The name says what its value has to look like. A password is what a person may have chosen: characters of several
kinds, or a drawn one. Other secrets have to look drawn. What a program supplies (variables, calls, templates), what
manuals put there and what everyone knows stays; so does prose.
"""

import re
import string
from collections.abc import Iterator

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.secrets.assignment import either_case
from winnow.curation.sanitize.secrets.randomness import looks_random
from winnow.curation.sanitize.secrets.secret_name import Kind, kind_of
from winnow.curation.sanitize.secrets.secret_value import is_secret

_STEM_WORDS = (
    "passw passphrase passcode pass pwd psw pw kennwort senha secret token key cred auth salt jwt cookie hmac"
)
_STEMS = _STEM_WORDS.split()
_BLANK = r"[ \t]{0,8}+"
_SEPARATOR = (
    r"(?:(?<=[\"'])[ \t\r\n]{1,40}+(?:value|default|content)[ \t]{0,4}="  # <add key="Password" value="…"
    r"|(?<=[\"']),[ \t\r\n]{0,40}+[\"']value[\"'][ \t]{0,4}:"  # {"name": "TOKEN", "value": "…"}
    r"|[ \t\r]{0,4}+\n[ \t]{0,40}+value:"  # - name: TOKEN, then value: …
    r"|[ \t]{1,3}(?:is|was)[ \t]{0,2}:?(?=[ \t])"
    rf"|{_BLANK}(?:"
    r":[ \t]{0,2}(?:Final\[)?[&*A-Za-z_][A-Za-z0-9_.\[\]|<>&*']{0,40}+[ \t]{0,4}=(?!=)"  # name: type =
    r"|(?:string|str|String)[ \t]{1,4}=(?!=)"
    r"|[!=]==?|:=|=>|->|::|\?=|[:=,(>])"
    r"|[ \t]{1,8}+)"
)
_NEXT_LINE = r"(?:\\?\r?\n[ \t]{0,40}+(?=[\"']))?"
_ASSIGNED = re.compile(
    rf"(?a)(?i:{'|'.join(_STEMS)})(?P<tail>[\w.-]{{0,48}}+)(?:\[[0-9]{{0,4}}\])?\\?[\"'`]?[\])}}*]{{0,2}}"
    rf"(?P<separator>{_SEPARATOR}){_BLANK}{_NEXT_LINE}(?:\*\*[ \t])?(?:[@$bBrRuUfFL]{{1,2}}(?=[\"'`]))?(?=\S)"
)
_QUOTE = re.compile(r"\\{0,3}(?:\"\"\"|'''|[\"'`])")
_BARE = re.compile(r"[^\s\"'`,;<>(){}\[\]\\|&]{1,512}+")
_WORD_BEFORE = re.compile(r"(?<![A-Za-z])([A-Za-z]{2,14})[ ]\Z")
"""`API key: …` is written in two words."""
_HEADERS = ("-H ", "er ", "er=")
"""What stands before the quote of a header in `curl -H "Key: …"` and `--header`."""
_LONGEST = 4_096
_LOOSE = ("", ",", "(", ">", "::", ":", "is", "was", "is:", "was:")
"""Separators that stand between other things as well, so that the value has to say more for itself."""
_NAME = frozenset(string.ascii_letters + string.digits + "_.-")


def search(text: str) -> Iterator[tuple[int, int]]:
    """Values behind each name that announces a secret."""
    for match in _ASSIGNED.finditer(text):
        start = _name_start(text, match.start())
        kind = None if text.startswith("::", max(0, start - 2)) else kind_of(text[start : match.end("tail")])
        if kind == "weak" and (word := _WORD_BEFORE.search(text, max(0, start - 16), start)):
            kind = "secret" if kind_of(word[1] + "Key") == "secret" else kind
        if kind == "weak" and text[max(0, start - 4) : start - 1] in _HEADERS:
            kind = "secret"
        if kind and (value := _value(text, match.end(), start, match["separator"].strip(), kind)):
            yield value


def _name_start(text: str, stem: int) -> int:
    start = stem
    while start > max(0, stem - 64) and text[start - 1] in _NAME:
        start -= 1
    return start


def _value(text: str, at: int, name: int, separator: str, kind: Kind) -> tuple[int, int] | None:
    """The span of a value that is secret by its kind and by where it stands."""
    if separator == "," and text[max(0, name - 2) : name - 1] != "(":
        return None
    if separator == ":" and text[max(0, name - 1) : name] == ":":
        return None
    if quote := _QUOTE.match(text, at):
        begin = quote.end()
        end = _closing(text, begin, quote.group())
        strict = (
            separator in _LOOSE and separator != ":" and not (separator == "" and _is_argument(text, name))
        )
        if separator == "" and kind != "password" and strict and not looks_random(text[begin:end], 20):
            return None
        return (begin, end) if end > 0 and is_secret(text[begin:end], kind, strict) else None
    bare = _BARE.match(text, at)
    if bare is None or not _may_be_bare(text, bare, name, separator):
        return None
    begin, end = bare.start(), bare.end()
    end -= len(bare.group()) - len(bare.group().rstrip(".:?!" if kind != "password" else "."))
    return (begin, end) if is_secret(text[begin:end], kind, separator in _LOOSE[1:], bare=True) else None


def _closing(text: str, begin: int, quote: str) -> int:
    """Where a literal ends: at the quote that is escaped as its opening one is; -1 where there is none."""
    mark, slashes = quote.lstrip("\\"), quote.count("\\")
    end = text.find(mark, begin, begin + _LONGEST)
    while end >= 0:
        before = end - len(text[begin:end].rstrip("\\")) - begin
        if before == slashes if slashes else before % 2 == 0:
            return end - slashes
        end = text.find(mark, end + 1, begin + _LONGEST)
    return -1


def _is_argument(text: str, name: int) -> bool:
    """Whether a name is an option or a declaration, whose value follows a blank."""
    return text[name : name + 1] == "-" or text[max(0, name - 8) : name].endswith(("ENV ", "define "))


def _may_be_bare(text: str, value: re.Match[str], name: int, separator: str) -> bool:
    """Whether an unquoted value stands where configuration, markup or a command line has one."""
    following = text[value.end() : value.end() + 1]
    before = text[max(0, name - 8) : name]
    if separator == "":
        return _is_argument(text, name)
    if separator == ">":
        return following == "<" and before.endswith("<")
    return separator not in (",", "(", "->", "::") and following not in ("(", "[", "{")


_ANY_STEM = f"(?:{'|'.join(map(either_case, _STEMS))})[A-Za-z0-9_.-]{{0,48}}"
_TRIGGER = (
    rf"{_ANY_STEM}(?:\[[0-9]{{0,4}}\])?\\?[\"'`]?[\])}}*]{{0,2}}"
    r"(?:[ \t]{0,8}(?:[:=,(>!?\"'`-]|is|was|[sS]tr)|[ \t\r\n]{1,45}(?:value|default|content))"
    rf"|(?:-|ENV |define )[A-Za-z0-9_.-]{{0,64}}{_ANY_STEM}[\"'`]?[ \t]"
)

ASSIGNED_SECRET = Detector(
    "assigned_secret", "by_name", tuple(_STEMS), search, trigger=_TRIGGER, confidence=0.85
)
