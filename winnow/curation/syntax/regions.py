"""What a reader says of a text: where it speaks to people, and where it is code."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["prose", "comment", "docstring", "string"]
Problem = Literal["no-grammar", "too-large", "timeout", "too-deep", "crash"]

KINDS: tuple[Kind, ...] = ("prose", "comment", "docstring", "string")


@dataclass(frozen=True, slots=True)
class Region:
    """A half-open span in code points that is not code.

    `comment`: with its marks; line comments on consecutive lines are one region. `string` and `docstring`: the
    literal as written, with prefix and quotes; what is interpolated is code and cuts it in pieces. `prose`: text
    around fenced blocks and inline code, or a text that no grammar could read.
    """

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of one text, ascending and disjoint; what none of them covers is code.

    With a `problem` the part that could not be read is one region of prose, so that nothing goes unseen.
    """

    spans: tuple[Region, ...]
    problem: Problem | None = None


def all_prose(text: str, problem: Problem | None = None) -> Regions:
    """The safe reading: the whole text speaks to people.

    >>> all_prose("ab", "crash").spans
    (Region(start=0, end=2, kind='prose'),)
    """
    return Regions((Region(0, len(text), "prose"),) if text else (), problem)
