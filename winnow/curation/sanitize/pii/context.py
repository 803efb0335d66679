"""What stands around a number: the words that say what it is, and whether it stands alone."""

import re

_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
"""Vowels and accents that stand above, below or behind a letter, and that `\\w` leaves out."""
_SMALL = rf"(?:[^\W\d_A-Z]|[{_MARKS}])"
_WORD = re.compile(rf"[A-Z]{{2,}}s(?!{_SMALL})|[A-Z]?{_SMALL}+|[A-Z]+(?!{_SMALL})")
_NO_SPACES = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u4e00-\u9fff\uac00-\ud7af]")
_BARE = re.compile(r"[\d\s.,;()/+\-]*")
_CUT = re.compile(r"\A\w+")
_LONGEST_BARE = 64


class Words:
    """Words and phrases (`call_me`), in any case, also as parts of an identifier: `home_phone` is in `homePhone`.

    >>> Words("cell phone").among(around("userPhone = 1", 12, 13)), Words("cell phone").among(" telephone ")
    (True, False)
    """

    def __init__(self, words: str) -> None:
        listed = [word.replace("_", " ") for word in words.lower().split()]
        # scripts without spaces, and Korean with its endings, have no edges to look for
        parts = [re.escape(word) if _NO_SPACES.search(word) else f" {re.escape(word)} " for word in listed]
        self._any = re.compile("|".join(sorted(parts, key=len, reverse=True)))

    def among(self, words: str) -> bool:
        return self._any.search(words) is not None


def around(text: str, start: int, end: int, before: int = 64, after: int = 32) -> str:
    """The words near a span, in lower case, each between single spaces, those before it first.

    They come from its own line and, where no word stands before it there, from the end of the line above.
    """
    return before_span(text, start, before) + after_span(text, end, after)


def before_span(text: str, start: int, reach: int = 64, above: bool = True) -> str:
    """The words before a span, as `around` gives them; without `above` only those of its line."""
    line = text[max(0, start - reach) : start]
    head, newline, tail = line.rpartition("\n")
    if newline:
        line = tail if not above or _WORD.search(tail) else head.rstrip().rpartition("\n")[2]
    if len(line) == reach < start:
        # the cut may go through a word, of which half says nothing
        line = _CUT.sub("", line)
    return _spaced(line)


def after_span(text: str, end: int, reach: int = 32) -> str:
    """The words after a span on its line, as `around` gives them."""
    return _spaced(text[end : end + reach].partition("\n")[0])


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether the text is a field and nothing else: a few numbers, no word.

    >>> stands_alone("078 05 1121", 0, 11), stands_alone("id 078051121", 3, 12)
    (True, False)
    """
    if len(text) > _LONGEST_BARE:
        return False
    return bool(_BARE.fullmatch(text, 0, start) and _BARE.fullmatch(text, end))


def _spaced(text: str) -> str:
    words = _WORD.findall(text)
    return f" {' '.join(words).lower()} " if words else " "
