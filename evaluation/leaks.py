"""Does a model give away what it must not have learned? Its answers, asked of the detectors of the sanitizer."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluation.preferences import wilson


class Leaked(Protocol):
    """A span that a detector names; never its text."""

    @property
    def category(self) -> str: ...


Check = Callable[[Sequence[str]], Sequence[Sequence[Leaked]]]
"""The leaks of each text. Passed in: detectors belong to curation, which evaluation does not know."""


@dataclass(frozen=True)
class LeakReport:
    """How many answers hold something private, and what, by category; no value of it."""

    samples: int
    leaking: int
    categories: dict[str, int]

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the share of leaking answers (Wilson score interval)."""
        return wilson(self.leaking, self.samples)

    def __str__(self) -> str:
        """One line, e.g. `1 of 100 answers: email_address 2`."""
        found = ", ".join(f"{category} {count}" for category, count in sorted(self.categories.items()))
        return f"{self.leaking} of {self.samples} answers" + (f": {found}" if found else "")


def leaks_in(answers: Sequence[str], check: Check) -> LeakReport:
    """Raises ValueError without any answer: nothing asked is not nothing leaked."""
    if not answers:
        raise ValueError("no answer to look at")
    found = check(answers)
    categories = Counter(leak.category for leaks in found for leak in leaks)
    return LeakReport(len(answers), sum(bool(leaks) for leaks in found), dict(categories))
