"""What a detector is, and the few things that many detectors share."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
"""Where a token may begin: not inside a word, or just after an escape sequence of source code."""

_HEX_ESCAPE = re.compile(r"u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|U[0-9A-Fa-f]{8}")
_ONE_LETTER_ESCAPES = "nrtbfav0"


@dataclass(frozen=True, eq=False)
class Detector:
    """Finds one kind of value in a text, in linear time.

    `category` names what is hidden, and so the policy and the placeholder; `detector` names the pattern. A text
    with a hit holds one of `literals` or, where those are not distinctive, matches `trigger`: a regular
    expression in what Python, Rust and Hyperscan read alike (no look-around, back-reference or anchor).
    `accept` refuses the placeholders of manuals. `scope` is `prose` for what is private in a sentence, a
    comment or a string literal and means something else as a token of code. `decoded` says whether to look
    behind encodings (escapes, percent signs, base64) as well; `confidence` is the share of hits expected right.
    """

    category: str
    detector: str
    literals: tuple[str, ...]
    search: Callable[[str], Iterator[tuple[int, int]]]
    accept: Callable[[str], bool] = bool
    trigger: str | None = None
    scope: Literal["text", "prose"] = "text"
    decoded: bool = True
    confidence: float = 0.95

    @property
    def rule(self) -> str:
        return f"{self.category}/{self.detector}"

    @property
    def placeholder(self) -> str:
        return f"<{self.category.upper()}>"

    @cached_property
    def trigger_pattern(self) -> str:
        """The regular expression that every text with a hit matches."""
        return self.trigger or "|".join(re.escape(literal) for literal in self.literals)

    def may_hit(self, text: str) -> bool:
        """Whether a closer look is needed."""
        if self.trigger is not None:
            return re.search(self.trigger, text) is not None
        return any(literal in text for literal in self.literals)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Half-open spans in code points, in ascending order."""
        if self.may_hit(text):
            yield from self.closely(text)

    def closely(self, text: str) -> Iterator[tuple[int, int]]:
        """As `find`, for a text that was seen to need it."""
        for start, end in self.search(text):
            if self.accept(text[start:end]):
                yield start, end


def pattern(regex: str, group: int | str = 0) -> Callable[[str], Iterator[tuple[int, int]]]:
    """The search of a regular expression, whose hit is its `group`."""
    compiled = re.compile(regex)

    def search(text: str) -> Iterator[tuple[int, int]]:
        for match in compiled.finditer(text):
            yield match.span(group)

    search.__doc__ = regex
    return search


def varied(distinct: int) -> Callable[[str], bool]:
    """Whether a value has at least `distinct` different characters: `xxxx` in a manual has not.

    >>> varied(3)("xxxxxx"), varied(3)("x9fQ")
    (False, True)
    """

    def accept(value: str) -> bool:
        return len(set(value)) >= distinct

    return accept


def after_escape(text: str, start: int) -> int:
    r"""The start of a value whose first letters belong to an escape sequence of the source code before it.

    >>> after_escape(r"\nann", 1), after_escape("ann", 1), after_escape(r"\u003cann", 1)
    (2, 1, 6)
    """
    before = text[max(0, start - 64) : start]
    slashes = len(before) - len(before.rstrip("\\"))
    if slashes % 2 == 0:
        return start
    if match := _HEX_ESCAPE.match(text, start):
        return match.end()
    return start + 1 if text[start] in _ONE_LETTER_ESCAPES else start
