"""Text that is to be read by people where code was expected."""

import re
from collections.abc import Iterable, Iterator, Sequence

from winnow.curation.syntax.regions import Region

_CODE_LINE = re.compile(
    r"[;{}]\s*$"  # ends as statements do
    r"|^\s*(?:[})\]]|</?\w|//|\*|@\w|#!?\[|[$%>]{1,3}\s)"
    r"|\w\(|\w\.\w+\(|::|->|=>|:=|==|!=|&&|\|\||\+=|</"
    r"|^\s*[\w.\[\]\"'-]+\s*=\s*\S"  # an assignment and nothing before it
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_IN_A_ROW = re.compile(r"[^\W\d_]{2,}(?:[,:]? [^\W\d_]+){2}")
_QUOTED = {
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*+"'),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*+'(?!\w)"),
}
_ONE_LETTER = 3
_QUOTE = re.compile("[\"']")
_SAMPLE = 20_000


def speaks(text: str) -> bool:
    r"""Whether at least half of the lines with words are not in the manner of code.

    Logs, tables, CSV, letters and lists of names speak; so does what a program printed. The first 20,000
    characters decide.

    >>> speaks("Dear Ms Lee,\nthank you"), speaks("let x = f(1);\nreturn x;"), speaks("id,name\n1,Ann Lee")
    (True, False, True)
    """
    told = [line for line in text[:_SAMPLE].split("\n") if _WORD.search(line)]
    code = sum(_CODE_LINE.search(line[:500]) is not None for line in told)
    return bool(told) and 2 * code <= len(told)


def with_speech(
    text: str, spans: Sequence[Region], unread: Iterable[tuple[int, int]], words: bool = True
) -> list[Region]:
    """The spans, and what else is for people on the lines that are touched by `unread`.

    A line speaks with three words in a row and nothing in the manner of code, and all of it outside the spans is
    prose; of any other line, and of every line without `words`, what stands between quotes is a string.
    """
    found: list[Region] = []
    at = 0  # the first span that may reach into the line
    for start, end in _lines(text, unread):
        while at < len(spans) and spans[at].end <= start:
            at += 1
        gaps = list(_gaps(start, end, spans, at))
        rest = " ".join(" ".join(text[first:last] for first, last in gaps).split())
        if words and _WORDS_IN_A_ROW.search(rest) and not _CODE_LINE.search(rest):
            found += (Region(first, last, "prose") for first, last in gaps if text[first:last].strip())
        else:
            found += (Region(*span, "string") for gap in gaps for span in _quoted(text, *gap))
    return sorted((*spans, *found), key=lambda region: region.start)


def _lines(text: str, unread: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Each line that holds part of an unread span, once; without its line feed."""
    done = 0
    for first, last in unread:
        at = max(done, text.rfind("\n", done, first) + 1)
        while at < last:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            yield at, end
            at = done = end + 1


def _gaps(start: int, end: int, spans: Sequence[Region], at: int) -> Iterator[tuple[int, int]]:
    """What the spans from number `at` on leave of a line."""
    while at < len(spans) and spans[at].start < end:
        if start < spans[at].start:
            yield start, spans[at].start
        start = max(start, spans[at].end)
        at += 1
    if start < end:
        yield start, end


def _quoted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands between quotes within a line. A quote that nothing closes is not looked for again."""
    open_quotes = set(_QUOTED)
    while open_quotes and (quote := _QUOTE.search(text, start, end)):
        start = quote.end()
        if quote.group() in open_quotes:
            if found := _QUOTED[quote.group()].match(text, quote.start(), end):
                start = found.end()
                if start - found.start() > _ONE_LETTER:
                    yield found.span()
            else:
                open_quotes.discard(quote.group())
