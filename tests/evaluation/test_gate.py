import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.gate import MIN_ITEMS, Verdict, judge, reason_of
from evaluation.outcomes import Scale

bound = st.floats(-1, 3, allow_nan=False)


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


@given(bound, bound)
def test_few_items_decide_nothing(one: float, two: float) -> None:
    low, high = sorted((one, two))
    assert judge(low, high, n=MIN_ITEMS - 1) == "inconclusive"
    assert judge(low, high, n=MIN_ITEMS) == judge(low, high)


@pytest.mark.parametrize(
    ("verdict", "threshold", "scale", "told"),
    [
        ("promote", 0.025, "relative", "relative worsening [-10.00%, +0.00%] lies wholly at or below 2.5%"),
        ("reject", 0.05, "absolute", "absolute worsening [-0.100, +0.000] lies wholly above 0.05"),
        ("inconclusive", 0.05, "relative", "reaches beyond 5%"),
    ],
)
def test_the_reason_names_the_threshold_as_it_is(
    verdict: Verdict, threshold: float, scale: Scale, told: str
) -> None:
    assert reason_of(verdict, -0.1, 0.0, threshold, MIN_ITEMS, scale=scale).endswith(told)
