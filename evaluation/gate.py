"""The decision whether a candidate may become champion, and the record of it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from evaluation.items import Item
from evaluation.outcomes import Scale
from evaluation.statistics import LEVEL, RESAMPLES, relative_worsening
from winnow.core.config import ConfigModel
from winnow.core.errors import DataError

Verdict = Literal["promote", "reject", "inconclusive"]
THRESHOLD = 0.05
# Resampling fewer items than this says nothing about other items
MIN_ITEMS = 8
METRIC = "heldout_loss"


class GateDecision(ConfigModel):
    """What the gate decided and everything that it decided from. `d` is a share: 0.05 is 5 % worse."""

    metric: str
    candidate: str
    """Checkpoint that was judged."""
    reference: str
    """The champion, or the base model where there is none."""
    verdict: Verdict
    reason: str
    d: float
    low: float
    high: float
    level: float
    threshold: float
    candidate_value: float
    """Token-weighted mean loss, nats a token."""
    reference_value: float
    n: int = Field(ge=1)
    resamples: int
    seed: int
    evaluation_ids: tuple[str, ...]

    @property
    def promotes(self) -> bool:
        return self.verdict == "promote"


def decide(
    candidate_items: Sequence[Item],
    reference_items: Sequence[Item],
    *,
    candidate: str,
    reference: str,
    evaluation_ids: Sequence[str] = (),
    metric: str = METRIC,
    threshold: float = THRESHOLD,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> GateDecision:
    """The decision on a candidate scored on the same items as the reference.

    The order in which items are given does not matter. Raises DataError where the two were not scored on the
    same items with the same tokens.
    """
    pairs = _pairs(candidate_items, reference_items)
    found = relative_worsening(
        [new.nll for new, _ in pairs],
        [old.nll for _, old in pairs],
        [new.tokens for new, _ in pairs],
        seed=seed,
        resamples=resamples,
        level=level,
    )
    verdict = judge(found.low, found.high, threshold, found.n)
    return GateDecision(
        metric=metric,
        candidate=candidate,
        reference=reference,
        verdict=verdict,
        reason=reason_of(verdict, found.low, found.high, threshold, found.n),
        d=found.d,
        low=found.low,
        high=found.high,
        level=level,
        threshold=threshold,
        candidate_value=found.new,
        reference_value=found.reference,
        n=found.n,
        resamples=resamples,
        seed=seed,
        evaluation_ids=tuple(evaluation_ids),
    )


def judge(
    low: float, high: float, threshold: float = THRESHOLD, n: int = MIN_ITEMS, min_items: int = MIN_ITEMS
) -> Verdict:
    """`promote`: the interval is wholly at or below the threshold; `reject`: wholly above; or `inconclusive`.

    >>> judge(-0.2, 0.05), judge(0.051, 0.3), judge(0.0, 0.06)
    ('promote', 'reject', 'inconclusive')
    """
    if n < min_items:
        return "inconclusive"
    if high <= threshold:
        return "promote"
    return "reject" if low > threshold else "inconclusive"


def _pairs(candidate: Sequence[Item], reference: Sequence[Item]) -> list[tuple[Item, Item]]:
    new = {i.item_id: i for i in candidate}
    old = {i.item_id: i for i in reference}
    if len(new) != len(candidate) or len(old) != len(reference):
        raise DataError("an item was scored twice by one model. Give the items of one evaluation.")
    if new.keys() != old.keys():
        raise DataError(
            f"{len(new.keys() - old.keys())} items were scored by the candidate only and "
            f"{len(old.keys() - new.keys())} by the reference only. Evaluate both on the same rows."
        )
    differing = sorted(k for k in new if new[k].tokens != old[k].tokens)
    if differing:
        raise DataError(
            f"item {differing[0]} has other tokens for the reference. Evaluate both with one tokenizer."
        )
    return [(new[k], old[k]) for k in sorted(new)]


def reason_of(
    verdict: Verdict,
    low: float,
    high: float,
    threshold: float,
    n: int,
    min_items: int = MIN_ITEMS,
    scale: Scale = "relative",
) -> str:
    """Why `judge` came to this verdict; a relative worsening reads in percent, an absolute one as it is."""
    if n < min_items:
        return f"{n} items; {min_items} are needed to judge"
    share = scale == "relative"
    limit = f"{100 * threshold:g}%" if share else f"{threshold:g}"
    bounds = f"{low:+.2%}, {high:+.2%}" if share else f"{low:+.3f}, {high:+.3f}"
    place = {
        "promote": f"lies wholly at or below {limit}",
        "reject": f"lies wholly above {limit}",
        "inconclusive": f"reaches beyond {limit}",
    }[verdict]
    return f"the interval of {scale} worsening [{bounds}] {place}"
