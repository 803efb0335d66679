"""Tokens whose issuer gave them a prefix and a length, so that they can be told without any context."""

import re
from collections.abc import Callable

from winnow.curation.sanitize.detector import Detector, pattern
from winnow.curation.sanitize.secrets.placeholder import is_filler
from winnow.curation.sanitize.secrets.randomness import looks_random, word_share

START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))"
"""Where a short prefix may begin: not inside a word, or just after an escape of source code or of a URL."""
END = r"(?![A-Za-z0-9_-])"


def known_shape(
    name: str,
    literals: tuple[str, ...],
    regex: str,
    *,
    group: int | str = 0,
    least: int = 8,
    accept: Callable[[str], bool] | None = None,
    trigger: str | None = None,
    confidence: float = 0.98,
) -> Detector:
    """A detector of category `token`; a hit has `least` different characters and no filler, or passes `accept`.

    `name` is provider and kind, as in `github_classic`. Where a prefix is short, the trigger asks for ten
    characters behind it as well, as every shape has.
    """
    accept = accept or varied_body(least)
    if trigger is None and min(map(len, literals)) < 6:
        trigger = f"(?:{'|'.join(map(re.escape, literals))})[A-Za-z0-9_+/=.~-]{{10}}"
    return Detector(
        "token", name, literals, pattern("(?a)" + regex, group), accept, trigger, confidence=confidence
    )


def varied_body(least: int) -> Callable[[str], bool]:
    """Whether a value has `least` different characters and no filler among them."""

    def accept(value: str) -> bool:
        return len(set(value)) >= least and not is_filler(value)

    return accept


def with_digits(value: str) -> bool:
    """Whether a value is varied and has a digit beyond its first three characters: words in capitals have none."""
    return len(set(value)) >= 8 and any(c.isdigit() for c in value[3:]) and not is_filler(value)


def drawn(value: str) -> bool:
    """Whether a value looks random: for prefixes so short that words and names begin with them too."""
    return looks_random(value) and not is_filler(value)


def unlike_words(value: str) -> bool:
    """Whether letters alone do not read like an identifier."""
    return len(set(value)) >= 12 and word_share(value) < 0.5 and not is_filler(value)
