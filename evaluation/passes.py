"""Two models whose code passes its tests or does not, and how sure a few problems make us of a difference."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

from evaluation.statistics import LEVEL
from winnow.core.errors import DataError

_HALVINGS = 60


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact p-value that gains and losses are equally likely; 1 where nothing flipped.

    >>> mcnemar(0, 6), mcnemar(0, 0)
    (0.03125, 1.0)
    """
    flips = gained + lost
    tail = sum(math.comb(flips, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / (1 << flips))


@dataclass(frozen=True)
class PairedPasses:
    """Two models on the same problems, one answer each; `gained` are those that only the new one passes."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    new: float
    """Share passed."""
    reference: float
    difference: float
    """New minus reference: above zero is better."""
    low: float
    high: float
    p: float
    """Exact McNemar."""
    n: int
    level: float


def compare_passes(
    new: Mapping[str, bool], reference: Mapping[str, bool], level: float = LEVEL
) -> PairedPasses:
    """How two models differ problem by problem, with the score interval of the difference (Tango 1998).

    Resampling problems would give an interval without width where nothing flipped; this one stays as wide as so
    few problems ask for. Raises DataError for none, and where the two were not run on the same problems.
    """
    if not new or new.keys() != reference.keys():
        raise DataError(
            f"{len(new.keys() - reference.keys())} problems were run with the new model only and "
            f"{len(reference.keys() - new.keys())} with the reference only, of {len(new)}. Run both on the same."
        )
    gained = tuple(sorted((i for i in new if new[i] and not reference[i]), key=_natural))
    lost = tuple(sorted((i for i in new if reference[i] and not new[i]), key=_natural))
    n = len(new)
    low, high = paired_interval(len(gained), len(lost), n, level)
    return PairedPasses(
        gained=gained,
        lost=lost,
        new=sum(new.values()) / n,
        reference=sum(reference.values()) / n,
        difference=(len(gained) - len(lost)) / n,
        low=low,
        high=high,
        p=mcnemar(len(gained), len(lost)),
        n=n,
        level=level,
    )


def paired_interval(gained: int, lost: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Interval of (gained - lost) / n: the differences that a score test at this level does not refuse.

    >>> [round(v, 3) for v in paired_interval(0, 0, 16)]
    [-0.194, 0.194]
    """
    if gained < 0 or lost < 0 or gained + lost > n or n < 1:
        raise DataError(f"{gained} gained and {lost} lost of {n}: no more can flip than there are.")
    z, found = _z(level), (gained - lost) / n
    low = _edge(lambda d: _score(gained, lost, n, d) <= z, found, -1.0)
    high = _edge(lambda d: _score(gained, lost, n, d) >= -z, found, 1.0)
    return low, high


def _score(gained: int, lost: int, n: int, d: float) -> float:
    """Tango's statistic of the difference d; standard normal where d is true."""
    a, b = 2 * n, -gained - lost + (2 * n - gained + lost) * d
    c = -lost * d * (1 - d)
    # The share that is lost, as likely as can be where d is true
    share = (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = n * (2 * share + d * (1 - d))
    distance = gained - lost - n * d
    if variance <= 0:
        return math.copysign(math.inf, distance) if distance else 0.0
    return distance / math.sqrt(variance)


def _edge(inside: Callable[[float], bool], within: float, beyond: float) -> float:
    """The last point from `within` towards `beyond` that is inside, by bisection."""
    if inside(beyond):
        return beyond
    for _ in range(_HALVINGS):
        middle = (within + beyond) / 2
        within, beyond = (middle, beyond) if inside(middle) else (within, middle)
    return within


def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


def _natural(item_id: str) -> tuple[str, int, str]:
    """HumanEval/9 before HumanEval/10."""
    head, _, tail = item_id.rpartition("/")
    return head, int(tail) if tail.isdecimal() else -1, tail
