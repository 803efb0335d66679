"""Two models are compared on the same items, whatever the order, or not at all."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.gate import judge
from evaluation.items import Item
from evaluation.loss_comparison import compare_losses
from evaluation.statistics import Worsening
from winnow.core.errors import DataError


def items(model: str, factor: float, n: int = 40) -> list[Item]:
    return [Item(model, f"row{i}", factor * (10 + i % 7), 10 + i % 7, 0.1) for i in range(n)]


def compared(candidate: list[Item], reference: list[Item]) -> Worsening:
    return compare_losses(candidate, reference, resamples=300)


@given(st.randoms(), st.floats(0.5, 1.5))
@settings(deadline=None, max_examples=30)
def test_the_order_of_items_changes_nothing(rng: Any, factor: float) -> None:
    candidate, reference = items("candidate", factor), items("base", 1.0)
    expected = compared(candidate, reference)
    rng.shuffle(candidate)
    rng.shuffle(reference)
    assert compared(candidate, reference) == expected


@pytest.mark.parametrize(
    ("factor", "verdict"), [(0.8, "promote"), (1.0, "promote"), (1.049, "promote"), (1.06, "reject")]
)
def test_a_uniform_change_has_a_sharp_verdict(factor: float, verdict: str) -> None:
    found = compared(items("candidate", factor), items("base", 1.0))
    assert judge(found.low, found.high) == verdict
    assert (found.d, found.new, found.reference) == pytest.approx((factor - 1.0, factor, 1.0))
    assert found.n == 40


def test_uncertain_is_not_promoted() -> None:
    candidate = [
        replace(i, nll=i.nll * (0.8 if n % 2 else 1.35)) for n, i in enumerate(items("candidate", 1.0))
    ]
    found = compared(candidate, items("base", 1.0))
    assert judge(found.low, found.high) == "inconclusive"


def test_what_was_not_scored_alike_is_refused() -> None:
    candidate, reference = items("candidate", 1.0), items("base", 1.0)
    with pytest.raises(DataError, match="1 items were scored by the candidate only"):
        compared(candidate, reference[1:])
    with pytest.raises(DataError, match="twice"):
        compared([*candidate, candidate[0]], reference)
    with pytest.raises(DataError, match="row0 has other tokens"):
        compared([replace(candidate[0], tokens=99), *candidate[1:]], reference)
