import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.gate import MIN_ITEMS, GateDecision, decide, judge
from evaluation.items import Item
from winnow.core.errors import DataError

bound = st.floats(-1, 3, allow_nan=False)


def items(model: str, factor: float, n: int = 40) -> list[Item]:
    return [Item(model, f"row{i}", factor * (10 + i % 7), 10 + i % 7, 0.1) for i in range(n)]


def decision(candidate: list[Item], reference: list[Item], **more: Any) -> GateDecision:
    return decide(candidate, reference, candidate="c1", reference="base", resamples=300, **more)


@given(bound, bound, st.floats(0, 0.5))
def test_the_three_verdicts_share_out_all_intervals(one: float, two: float, threshold: float) -> None:
    low, high = sorted((one, two))
    verdict = judge(low, high, threshold)
    assert (verdict == "promote") == (high <= threshold)
    assert (verdict == "reject") == (low > threshold)
    assert (verdict == "inconclusive") == (low <= threshold < high)


@given(bound, bound, st.floats(0, 1))
def test_a_better_candidate_is_never_judged_worse(one: float, two: float, shift: float) -> None:
    rank = {"promote": 2, "inconclusive": 1, "reject": 0}
    low, high = sorted((one, two))
    assert rank[judge(low - shift, high - shift)] >= rank[judge(low, high)]


@given(st.randoms(), st.floats(0.5, 1.5))
@settings(deadline=None, max_examples=30)
def test_the_order_of_items_changes_nothing(rng: Any, factor: float) -> None:
    candidate, reference = items("candidate", factor), items("base", 1.0)
    expected = decision(candidate, reference)
    rng.shuffle(candidate)
    rng.shuffle(reference)
    assert decision(candidate, reference) == expected


@pytest.mark.parametrize(
    ("factor", "verdict"), [(0.8, "promote"), (1.0, "promote"), (1.049, "promote"), (1.06, "reject")]
)
def test_a_uniform_change_has_a_sharp_verdict(factor: float, verdict: str) -> None:
    found = decision(items("candidate", factor), items("base", 1.0))
    assert found.verdict == verdict
    assert found.promotes == (verdict == "promote")
    assert found.d == pytest.approx(factor - 1.0)


def test_uncertain_is_not_promoted() -> None:
    candidate = [
        replace(i, nll=i.nll * (0.8 if n % 2 else 1.35)) for n, i in enumerate(items("candidate", 1.0))
    ]
    found = decision(candidate, items("base", 1.0))
    assert found.verdict == "inconclusive"
    assert not found.promotes
    assert "reaches beyond 5%" in found.reason


def test_the_reason_names_the_threshold_as_it_is() -> None:
    found = decision(items("c", 1.0), items("b", 1.0), threshold=0.025)
    assert found.reason.endswith("at or below 2.5%")


def test_few_items_decide_nothing() -> None:
    few = MIN_ITEMS - 1
    assert decision(items("candidate", 0.5, few), items("base", 1.0, few)).verdict == "inconclusive"
    assert decision(items("candidate", 0.5, few + 1), items("base", 1.0, few + 1)).verdict == "promote"


def test_the_record_says_what_it_was_decided_from_and_survives_json() -> None:
    found = decision(
        items("candidate", 1.1), items("base", 1.0), evaluation_ids=["e1", "e2"], seed=5, threshold=0.2
    )
    assert (found.n, found.seed, found.threshold, found.evaluation_ids) == (40, 5, 0.2, ("e1", "e2"))
    assert (found.candidate, found.reference) == ("c1", "base")
    assert (found.candidate_value, found.reference_value) == pytest.approx((1.1, 1.0))
    assert GateDecision.model_validate_json(json.dumps(found.model_dump(mode="json"))) == found


def test_what_was_not_scored_alike_is_refused() -> None:
    candidate, reference = items("candidate", 1.0), items("base", 1.0)
    with pytest.raises(DataError, match="1 items were scored by the candidate only"):
        decision(candidate, reference[1:])
    with pytest.raises(DataError, match="twice"):
        decision([*candidate, candidate[0]], reference)
    with pytest.raises(DataError, match="row0 has other tokens"):
        decision([replace(candidate[0], tokens=99), *candidate[1:]], reference)
