"""Whether a block in an unknown language is to be read by people."""

import re

_CODE_LINE = re.compile(
    r"[;{}]\s*$"  # ends as statements do
    r"|^\s*(?:[})\]]|</?\w|//|\*|@\w|#!?\[|[$%>]{1,3}\s)"
    r"|\w\(|\w\.\w+\(|::|->|=>|:=|==|!=|&&|\|\||\+=|</"
    r"|^\s*[\w.\[\]\"'-]+\s*=\s*\S"  # an assignment and nothing before it
)
_WORD = re.compile(r"[^\W\d_]{2,}")
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
