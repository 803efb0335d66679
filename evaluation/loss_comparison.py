"""The loss of two models on the same held-out rows, held against each other."""

from collections.abc import Sequence

from evaluation.items import Item
from evaluation.statistics import LEVEL, RESAMPLES, Worsening, relative_worsening
from winnow.core.errors import DataError


def compare_losses(
    new: Sequence[Item],
    reference: Sequence[Item],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Worsening:
    """How much worse the new model's loss is than the reference's; the order of the items does not matter.

    Raises DataError where the two were not scored on the same items with the same tokens.
    """
    pairs = _pairs(new, reference)
    return relative_worsening(
        [own.nll for own, _ in pairs],
        [other.nll for _, other in pairs],
        [own.tokens for own, _ in pairs],
        seed=seed,
        resamples=resamples,
        level=level,
    )


def _pairs(new: Sequence[Item], reference: Sequence[Item]) -> list[tuple[Item, Item]]:
    own = {i.item_id: i for i in new}
    other = {i.item_id: i for i in reference}
    if len(own) != len(new) or len(other) != len(reference):
        raise DataError("an item was scored twice by one model. Give the items of one evaluation.")
    if own.keys() != other.keys():
        raise DataError(
            f"{len(own.keys() - other.keys())} items were scored by the candidate only and "
            f"{len(other.keys() - own.keys())} by the reference only. Evaluate both on the same rows."
        )
    differing = sorted(k for k in own if own[k].tokens != other[k].tokens)
    if differing:
        raise DataError(
            f"item {differing[0]} has other tokens for the reference. Evaluate both with one tokenizer."
        )
    return [(own[k], other[k]) for k in sorted(own)]
