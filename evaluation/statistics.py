"""How much worse one model is than another on the same items, and how sure these few items make us."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from winnow.core.errors import DataError

RESAMPLES = 10_000
LEVEL = 0.95
_CELLS = 4_000_000


@dataclass(frozen=True)
class Worsening:
    """Relative worsening (new - reference) / reference of a token-weighted mean loss, with its interval."""

    d: float
    low: float
    high: float
    new: float
    """Mean loss of the new model, nats a token."""
    reference: float
    n: int
    level: float
    resamples: int
    seed: int


def relative_worsening(
    new_nll: ArrayLike,
    reference_nll: ArrayLike,
    tokens: ArrayLike,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Worsening:
    """How much worse the new losses are, with a percentile interval by paired bootstrap.

    An item is its summed loss under both models and its tokens. Items are drawn with replacement; both losses
    of a draw are divided by the same number of tokens, which therefore cancels. Equal input and seed give
    equal numbers.
    Raises DataError for no items, unequal lengths, a value that is no number, and a reference of zero.
    """
    new, reference = _checked(new_nll, reference_nll, tokens)
    total = float(np.asarray(tokens, dtype=np.float64).sum())
    draws = _bootstrap(new, reference, np.random.default_rng(seed), resamples)
    low, high = np.percentile(draws, [50 * (1 - level), 50 * (1 + level)])
    return Worsening(
        d=float(new.sum() / reference.sum() - 1.0),
        low=float(low),
        high=float(high),
        new=float(new.sum()) / total,
        reference=float(reference.sum()) / total,
        n=len(new),
        level=level,
        resamples=resamples,
        seed=seed,
    )


def _bootstrap(
    new: NDArray[np.float64], reference: NDArray[np.float64], rng: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    """The worsening of each resample; indices are drawn in slices so that memory stays at some 100 MB."""
    n = len(new)
    slices: Sequence[int] = [max(1, _CELLS // n)] * (resamples // max(1, _CELLS // n))
    rest = resamples - sum(slices)
    draws = []
    for count in [*slices, *([rest] if rest else [])]:
        chosen = rng.integers(0, n, (count, n))
        draws.append(new[chosen].sum(axis=1) / reference[chosen].sum(axis=1) - 1.0)
    return np.concatenate(draws)


def _checked(
    new_nll: ArrayLike, reference_nll: ArrayLike, tokens: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    new, reference, weights = (np.asarray(v, dtype=np.float64) for v in (new_nll, reference_nll, tokens))
    if not len(new) == len(reference) == len(weights) > 0:
        raise DataError(
            f"{len(new)} new losses, {len(reference)} of the reference and {len(weights)} token counts: "
            "one of each is needed for every item, and one item at least."
        )
    if not (np.isfinite(new).all() and np.isfinite(reference).all()):
        raise DataError("a loss is no number. Evaluate both models again.")
    if not ((reference > 0).all() and (new >= 0).all() and (weights > 0).all()):
        raise DataError(
            "a loss of the reference or a token count is not above zero. Evaluate both models again."
        )
    return new, reference
