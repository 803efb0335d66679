"""The search that the numbers of states share: a form, the words that announce it, and a check."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.context import Words, around, stands_alone

_BEFORE = r"(?<![0-9A-Za-z_])(?<![0-9][-./:])"
_AFTER = r"(?![0-9A-Za-z_]|[-./:][0-9])"


@dataclass(frozen=True)
class Shape:
    """How a number is written: `regex`; `certain`, the writings that no word has to announce; `alone`, whether
    a text that holds nothing else announces it.
    """

    regex: str
    certain: str | None = None
    alone: bool = False


def announced(shape: Shape, words: str) -> Callable[[str], Iterator[tuple[int, int]]]:
    """Numbers of this shape near one of the words."""
    whole = re.compile(f"{_BEFORE}(?:{shape.regex}){_AFTER}")
    certain = re.compile(shape.certain) if shape.certain else None
    near = Words(words)

    def search(text: str) -> Iterator[tuple[int, int]]:
        for match in whole.finditer(text):
            start, end = match.span()
            if (
                (certain is not None and certain.fullmatch(match.group()))
                or near.among(around(text, start, end))
                or (shape.alone and stands_alone(text, start, end))
            ):
                yield start, end

    return search


def national_id(
    category: str,
    authority: str,
    shape: str | Shape,
    words: str,
    is_valid: Callable[[str], bool],
    trigger: str,
) -> Detector:
    """A detector of numbers that count only where a word announces them and the check digits agree."""
    form = shape if isinstance(shape, Shape) else Shape(shape)
    return Detector(
        category, authority, (), announced(form, words), is_valid, trigger, "prose", confidence=0.9
    )
