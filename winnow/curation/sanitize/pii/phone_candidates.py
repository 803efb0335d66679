"""Runs of digits that are written like telephone numbers, before anything is known about them."""

import re
from dataclasses import dataclass
from functools import lru_cache

_BETWEEN = "[ .\u00a0\u2009\u2010-\u2013/-]"
_CANDIDATE = re.compile(
    r"(?<![0-9A-Za-z_+@#$%^&*\\])(?<![0-9][-.:/])(?<![<>*/] )"
    rf"\+?\(?\+?[0-9]{{1,15}}\)?(?:{_BETWEEN}{{0,2}}\(?[0-9]{{1,15}}\)?){{0,24}}+"
    r"(?P<extension> ?(?:x|ext\.?|extension|poste|#) ?[0-9]{1,6})?"
    r"(?![0-9A-Za-z_*%$\u20ac]|[.:/-][0-9]|,[0-9]{1,3}(?![0-9]))",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:1[89]|20)[0-9]{2}([-./ ])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])(?:[ T-].*)?"
    r"|(?:0?[1-9]|[12][0-9]|3[01])([-./ ])(?:0?[1-9]|[12][0-9]|3[01])\2(?:1[89]|20)[0-9]{2}(?: .*)?"
    r"|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}|[0-9]{6})?"
)
_YEARS = re.compile(r"(?:(?:1[5-9]|20)[0-9]{2}[ /\u2013-]*)+")
_FRACTIONS = re.compile(r"[0-9]+\.[0-9]+(?: {1,2}[0-9]+\.[0-9]+)*")
_COUNTED = "01234567890123456789"


@dataclass(frozen=True)
class Candidate:
    """A span, how it is written, and its digits without an extension."""

    start: int
    end: int
    written: str
    digits: str
    groups: tuple[str, ...]

    @property
    def international(self) -> bool:
        return self.written.lstrip("(").startswith("+")

    @property
    def grouped(self) -> bool:
        """Whether it is cut into groups as people cut numbers: a prefix may be one digit, and one other group."""
        return len(self.groups) > 1 and [len(group) for group in self.groups[1:]].count(1) < 2


@lru_cache(maxsize=1)
def candidates(text: str) -> tuple[Candidate, ...]:
    """Every run of 7 to 15 digits that could be a number and is not a date, a count or a filler."""
    found = []
    for match in _CANDIDATE.finditer(text):
        start, end = match.span()
        written = match.group()
        main = written[: match.start("extension") - start] if match.group("extension") else written
        groups = tuple(re.findall("[0-9]+", main))
        digits = "".join(groups)
        if 7 <= len(digits) <= 17 and _is_written_well(main) and not _is_something_else(main, digits, groups):
            found.append(Candidate(start, end, written, digits, groups))
    return tuple(found)


def _is_written_well(main: str) -> bool:
    """Whether one pair of parentheses at most stands around the number or a code before it, and dots agree."""
    if not main.count("(") == main.count(")") <= 1 or main.rfind("(") > main.rfind(")"):
        return False
    # "pp. 181-195 (1968)" and "0.857 438 2329"
    if main.rstrip().endswith(")") and not main.startswith("("):
        return False
    return re.match(r"0\.", main) is None and (" " not in main or "." not in main or "(" in main)


def _is_something_else(main: str, digits: str, groups: tuple[str, ...]) -> bool:
    if _DATE.fullmatch(main) or _YEARS.fullmatch(main) or len(set(digits)) < 3:
        return True
    if digits in _COUNTED or digits in _COUNTED[::-1]:
        return True
    if _FRACTIONS.fullmatch(main):
        return True
    # 3-2-4 is a social security number, four small groups with dots an address or a version
    if [len(group) for group in groups] == [3, 2, 4] and len(set(re.sub("[0-9]", "", main))) == 1:
        return main[3] == "-"
    return main.count(".") == 3 and len(groups) == 4 and all(int(group) < 256 for group in groups)
