"""How often a model prefers the chosen answer, and how sure a few pairs make us of other pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.preference_items import PairItem
from evaluation.statistics import LEVEL, RESAMPLES
from winnow.core.errors import DataError

Interval = Literal["wilson", "cluster bootstrap", "wilson of groups"]
_CELLS = 4_000_000


@dataclass(frozen=True)
class Share:
    """A share of pairs with its interval and the way that was found."""

    value: float
    low: float
    high: float
    interval: Interval
    n: int
    """Pairs."""
    groups: int | None
    """Groups of pairs that were drawn as a whole, where there are groups."""
    level: float
    resamples: int
    """0 where nothing was drawn."""
    seed: int

    def told(self) -> str:
        """In per cent, with the interval."""
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]"


def preference_accuracy(
    items: Sequence[PairItem],
    reference: Sequence[PairItem],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Share:
    """Share of pairs whose chosen answer has gained more log-likelihood on the reference than the rejected one.

    A tie counts half, so that the reference itself scores exactly 0.5. Raises DataError where the two were
    not scored on the same pairs with the same tokens.
    """
    return share(preference_scores(items, reference), _groups(items), seed, resamples, level)


def likelihood_accuracy(
    items: Sequence[PairItem],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Share:
    """Share of pairs whose chosen answer is the likelier as a whole; it needs no reference.

    It leans to the shorter answer.
    """
    scores = _wins([i.chosen_logp - i.rejected_logp for i in _sorted(items)])
    return share(scores, _groups(items), seed, resamples, level)


def preference_scores(items: Sequence[PairItem], reference: Sequence[PairItem]) -> NDArray[np.float64]:
    """1 for a pair that the model prefers rightly, 0.5 for a tie, else 0; in the order of item ids."""
    own, ref = _sorted(items), _sorted(reference)
    if [_tokens(i) for i in own] != [_tokens(i) for i in ref]:
        raise DataError(
            "the model and the reference were not scored on the same pairs with the same tokens. "
            "Evaluate both in one job."
        )
    gained = [
        (i.chosen_logp - r.chosen_logp) - (i.rejected_logp - r.rejected_logp)
        for i, r in zip(own, ref, strict=True)
    ]
    return _wins(gained)


def share(
    scores: NDArray[np.float64],
    groups: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Share:
    """The mean of scores between 0 and 1, with the interval that fits how they came about.

    Without groups pairs count as independent: Wilson's interval. With them, pairs of a group resemble each
    other: whole groups are drawn (percentile interval of the cluster bootstrap). Where all groups score alike
    drawing says nothing, and Wilson's interval is taken with every group counted as one pair.
    Raises DataError for no scores, and for pairs that are all of one group.
    """
    n = len(scores)
    if not n:
        raise DataError("no pair was scored. Evaluate one at least.")
    value = float(scores.mean())
    if groups is None:
        low, high = wilson(float(scores.sum()), n, level)
        return Share(value, low, high, "wilson", n, None, level, 0, seed)
    sums, counts = _by_group(scores, groups)
    if np.ptp(sums / counts) == 0.0:
        low, high = wilson(value * len(sums), len(sums), level)
        return Share(value, low, high, "wilson of groups", n, len(sums), level, 0, seed)
    low, high = _bootstrap(sums, counts, seed, resamples, level)
    return Share(value, low, high, "cluster bootstrap", n, len(sums), level, resamples, seed)


def wilson(successes: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a proportion (1927), without continuity correction; a tie is half a success.

    >>> [round(bound, 4) for bound in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    z2 = NormalDist().inv_cdf((1 + level) / 2) ** 2
    p = successes / n
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    reach = float(np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n)))) / (1 + z2 / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _bootstrap(
    sums: NDArray[np.float64], counts: NDArray[np.float64], seed: int, resamples: int, level: float
) -> tuple[float, float]:
    """Percentile interval of sum / count over groups drawn with replacement; equal input, equal numbers."""
    rng = np.random.default_rng(seed)
    size = len(sums)
    most = max(1, _CELLS // size)
    draws = []
    for start in range(0, resamples, most):
        chosen = rng.integers(0, size, (min(most, resamples - start), size))
        draws.append(sums[chosen].sum(axis=1) / counts[chosen].sum(axis=1))
    low, high = np.percentile(np.concatenate(draws), [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)


def _by_group(
    scores: NDArray[np.float64], groups: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and number of the scores of each group, in the order of group names."""
    names, places = np.unique(np.asarray(groups, dtype=object).astype(str), return_inverse=True)
    if len(names) < 2:
        raise DataError(
            f"all {len(scores)} pairs are of one group, which says nothing about others. "
            "Hold out pairs of two groups at least, or evaluate without `group`."
        )
    sums = np.bincount(places, weights=scores).astype(np.float64)
    return sums, np.bincount(places).astype(np.float64)


def _sorted(items: Sequence[PairItem]) -> list[PairItem]:
    own = sorted(items, key=lambda i: i.item_id)
    if len({i.item_id for i in own}) != len(own):
        raise DataError("a pair was scored twice by one model. Give the items of one evaluation.")
    return own


def _groups(items: Sequence[PairItem]) -> list[str] | None:
    """The group of each pair in the order of item ids, or None where pairs are not grouped."""
    names = [i.group for i in _sorted(items)]
    return None if all(name is None for name in names) else [str(name) for name in names]


def _tokens(item: PairItem) -> tuple[str, int, int]:
    return item.item_id, item.chosen_tokens, item.rejected_tokens


def _wins(gained: Sequence[float]) -> NDArray[np.float64]:
    values = np.asarray(gained, dtype=np.float64)
    if not np.isfinite(values).all():
        raise DataError("a likelihood is no number. Evaluate the model again.")
    return np.where(values > 0, 1.0, np.where(values == 0, 0.5, 0.0))
