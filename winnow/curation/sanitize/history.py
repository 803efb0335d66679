"""Does a category fire far more often than it did before? Asked of the first rows of a run, before it has cost much.

A detector that hits too much mutilates a corpus without any error. The rows in which a category fired are compared
with what is published by an exact test of two Poisson counts: given their sum, the new count is binomial
(Przyborowski and Wilenski, 1940), so little history means little evidence, and none is never "far above". The null
hypothesis is not "as often as before" but "at most `times` as often": of a hundred thousand rows the smallest drift
is significant, and most drift is no fault.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import Field

from winnow.core.config import ConfigModel
from winnow.core.firing import Fired, fired_categories
from winnow.core.stage import StageOutput

LEAST_ROWS = 1_000
"""Rows that another source must have before it counts as history of a source that has none of its own."""


class FiringConfig(ConfigModel):
    """When a category is said to fire far above its history. Only a warning: nothing is held back for it."""

    first_rows: int = Field(
        default=100_000, ge=1, description="Rows of a run that are looked at, to the end of the batch."
    )
    times: float = Field(
        default=3.0, ge=1.0, description="A category may fire this many times as often as it did."
    )
    p_value: float = Field(
        default=1e-4,
        gt=0.0,
        lt=1.0,
        description="Largest chance at which more than that is still put down to luck.",
    )
    least_share: float = Field(
        default=0.001,
        ge=0.0,
        le=1.0,
        description="Part of the rows below which no category is worth a warning.",
    )


@dataclass(frozen=True)
class OverFiring:
    """A category that fires far above its history. `against` is the source whose history it was held against."""

    source: str
    category: str
    fired: int
    rows: int
    against: str
    history_fired: int
    history_rows: int
    p_value: float

    def __str__(self) -> str:
        """One line for a log.

        >>> print(OverFiring("web", "person", 40, 100, "web", 2, 1000, 1e-30))
        web: `person` fired in 40 of the first 100 rows (40 %), and in 2 of 1,000 (0.2 %) before
        """
        before = "before" if self.against == self.source else f"of {self.against}, the most of any source"
        now, then = self.fired / self.rows, self.history_fired / self.history_rows
        return (
            f"{self.source}: `{self.category}` fired in {self.fired:,} of the first {self.rows:,} rows "
            f"({now * 100:.3g} %), and in {self.history_fired:,} of {self.history_rows:,} "
            f"({then * 100:.3g} %) {before}"
        )


def over_firing(
    source: str, now: Fired, history: Mapping[str, Fired], config: FiringConfig | None = None
) -> tuple[OverFiring, ...]:
    """Every category of the rows of a source that fires far above its history, by name.

    `history` is by source. Its own counts where there is one; else a category must fire far above each of the
    others of at least `LEAST_ROWS` rows, for sources differ. Without any history there is no warning.
    """
    config = config or FiringConfig()
    own = history.get(source)
    known = {source: own} if own and own.rows else {s: f for s, f in history.items() if f.rows >= LEAST_ROWS}
    return tuple(
        found
        for category in sorted(now.categories)
        if now.share(category) >= config.least_share and known
        if (found := _compared(source, category, now, known, config.times)).p_value < config.p_value
    )


def _compared(source: str, category: str, now: Fired, known: Mapping[str, Fired], times: float) -> OverFiring:
    """The category against the history that speaks least against it."""
    fired = now.categories[category]
    chances = {
        name: more_often(fired, now.rows, then.categories.get(category, 0), then.rows, times)
        for name, then in known.items()
    }
    against = max(sorted(chances), key=lambda name: chances[name])
    then = known[against]
    return OverFiring(
        source,
        category,
        fired,
        now.rows,
        against,
        then.categories.get(category, 0),
        then.rows,
        chances[against],
    )


def more_often(fired: int, rows: int, before: int, rows_before: int, times: float = 1.0) -> float:
    """One-sided p-value of `fired` in `rows` when it fires at most `times` as often as in the rows before.

    >>> round(more_often(8, 100, 2, 100), 7)
    0.0546875
    """
    weight = times * rows
    return binomial_tail(fired, fired + before, weight / (weight + rows_before))


def binomial_tail(least: int, trials: int, chance: float) -> float:
    """Probability of `least` or more successes. Stops summing once what remains no longer shows.

    >>> binomial_tail(0, 5, 0.5), binomial_tail(5, 5, 0.5)
    (1.0, 0.03125)
    """
    if least <= 0:
        return 1.0
    if least <= trials * chance:
        return 1.0 - binomial_tail(trials - least + 1, trials, 1.0 - chance)
    if chance <= 0.0 or least > trials:
        return 0.0
    log_term = (
        math.lgamma(trials + 1)
        - math.lgamma(least + 1)
        - math.lgamma(trials - least + 1)
        + least * math.log(chance)
        + (trials - least) * math.log1p(-chance)
    )
    total = sum(_falling_terms(least, trials, chance / (1.0 - chance)))
    return min(1.0, math.exp(log_term) * total)


def _falling_terms(first: int, trials: int, odds: float) -> Iterator[float]:
    """Terms of the tail as multiples of its first; each is smaller than the one before."""
    term = 1.0
    for number in range(first, trials + 1):
        yield term
        term *= (trials - number) / (number + 1) * odds
        if term < 1e-17:
            return


class FiringWatch:
    """Counts the first rows of a run as its outputs pass, and says once what fires far above history.

    >>> watch = FiringWatch("web", {})
    >>> watch.seen.rows
    0
    """

    def __init__(self, source: str, history: Mapping[str, Fired], config: FiringConfig | None = None) -> None:
        self.config = config or FiringConfig()
        self._source, self._history = source, history
        self._rows = 0
        self._categories: Counter[str] = Counter()

    @property
    def seen(self) -> Fired:
        """What has been counted so far."""
        return Fired(self._rows, dict(self._categories))

    @property
    def full(self) -> bool:
        """Whether the first rows are all seen; later outputs are not counted."""
        return self._rows >= self.config.first_rows

    def add(self, output: StageOutput) -> tuple[OverFiring, ...]:
        """Counts one output. The warnings, in the call that brings the last of the first rows; else none."""
        if self.full:
            return ()
        self._rows += output.rows_in
        self._categories.update(fired_categories([output.verdicts]))
        return self.warnings() if self.full else ()

    def warnings(self) -> tuple[OverFiring, ...]:
        """What fires far above history in the rows counted so far; all of the run where it has fewer."""
        return over_firing(self._source, self.seen, self._history, self.config)


def told(found: Iterable[OverFiring]) -> str:
    """The warnings as the text of a check, a line each; says so where there is none."""
    return "\n".join(map(str, found)) or "No category fires far above its history."


def numbers(watch: FiringWatch) -> dict[str, float]:
    """Part of the first rows in which each category fired, by `share_<category>`, and how many rows they were."""
    seen = watch.seen
    shares = {f"share_{category}": round(seen.share(category), 6) for category in sorted(seen.categories)}
    return {"first_rows": float(seen.rows), **shares}
