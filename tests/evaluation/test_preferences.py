from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation import preferences
from evaluation.preference_items import PairItem
from evaluation.preferences import (
    likelihood_accuracy,
    preference_accuracy,
    preference_scores,
    share,
    wilson,
)
from winnow.core.errors import DataError

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60).map(np.array)


def item(
    name: str, chosen: float, rejected: float, group: str | None = None, tokens: tuple[int, int] = (4, 4)
) -> PairItem:
    return PairItem("m", name, group, chosen, rejected, *tokens, 0.1)


def drawn(n: int, seed: int, groups: int | None = None) -> list[PairItem]:
    rng = np.random.default_rng(seed)
    return [
        item(f"{k:03}", *map(float, rng.normal(-20, 5, 2)), None if groups is None else f"g{k % groups}")
        for k in range(n)
    ]


@given(st.integers(1, 400), st.data(), st.sampled_from([0.8, 0.95, 0.99]))
@settings(deadline=None)
def test_golden_wilson_is_scipys(n: int, data: Any, level: float) -> None:
    from scipy.stats import binomtest

    k = data.draw(st.integers(0, n))
    golden = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    assert wilson(k, n, level) == pytest.approx((golden.low, golden.high), abs=1e-9)


def test_golden_scipy_draws_the_same_interval_of_groups() -> None:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(3)
    groups = [f"g{k}" for k in rng.integers(0, 25, 120)]
    scores = (rng.random(120) < 0.7).astype(float)
    names = sorted(set(groups))
    sums = np.array([sum(s for s, g in zip(scores, groups, strict=True) if g == name) for name in names])
    counts = np.array([groups.count(name) for name in names], dtype=float)
    golden = bootstrap(
        (sums, counts),
        lambda s, c, axis: s.sum(axis) / c.sum(axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=3000,
        rng=np.random.default_rng(7),
    ).confidence_interval
    found = share(scores, groups, seed=7, resamples=3000)
    assert (found.low, found.high) == pytest.approx((golden.low, golden.high), abs=1e-12)
    assert (found.value, found.interval, found.groups) == (scores.mean(), "cluster bootstrap", len(names))


@given(st.integers(1, 40), st.integers(0, 99))
@settings(deadline=None)
def test_the_reference_scores_a_half_and_swapped_answers_the_rest(n: int, seed: int) -> None:
    own, reference = drawn(n, seed), drawn(n, seed + 1)
    assert preference_accuracy(reference, reference).value == 0.5
    scores = preference_scores(own, reference)

    def swapped(items: list[PairItem]) -> list[PairItem]:
        return [item(i.item_id, i.rejected_logp, i.chosen_logp) for i in items]

    assert (preference_scores(swapped(own), swapped(reference)) == 1 - scores).all()
    assert (preference_scores(own[::-1], reference) == scores).all()


def test_by_hand() -> None:
    reference = [item("a", -10, -10), item("b", -10, -12), item("c", -10, -9), item("d", -5, -5)]
    own = [item("a", -9, -10), item("b", -9, -9), item("c", -8, -7), item("d", -5, -4)]
    # Gains of chosen over rejected: +1, 1 - 3, 2 - 2, 0 - 1
    assert preference_scores(own, reference).tolist() == [1.0, 0.0, 0.5, 0.0]
    assert preference_accuracy(own, reference).value == 0.375
    assert likelihood_accuracy(own).value == (1 + 0.5 + 0 + 0) / 4
    assert likelihood_accuracy([item("a", -9, -6, tokens=(9, 3))]).value == 0.0


@given(SCORES, st.integers(0, 99))
@settings(deadline=None, max_examples=50)
def test_an_interval_holds_the_share_and_stays_within_nought_and_one(
    scores: NDArray[np.float64], seed: int
) -> None:
    groups = [f"g{k % 7}" for k in range(len(scores))]
    found = [share(scores)] if len(scores) < 2 else [share(scores), share(scores, groups, seed, 300)]
    for one in found:
        assert 0.0 <= one.low <= one.high <= 1.0
    assert found[0].low <= found[0].value <= found[0].high


def test_copies_within_a_group_make_us_no_surer() -> None:
    """Ten pairs, each written ten times: pairs look like a hundred, groups show that they are ten."""
    scores = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], dtype=float)
    copies, groups = np.repeat(scores, 10), [f"g{k // 10}" for k in range(100)]
    blind, aware = share(copies), share(copies, groups)
    alone = share(scores, [f"g{k}" for k in range(10)])
    assert (blind.interval, aware.interval) == ("wilson", "cluster bootstrap")
    assert aware.high - aware.low > 2 * (blind.high - blind.low)
    assert (aware.low, aware.high) == (alone.low, alone.high)


def test_groups_that_all_score_alike_still_leave_doubt() -> None:
    found = share(np.ones(40), [f"g{k % 4}" for k in range(40)])
    assert (found.value, found.interval, found.resamples) == (1.0, "wilson of groups", 0)
    assert (found.low, found.high) == wilson(4, 4)
    assert found.low < 0.6


def test_an_interval_of_groups_covers_what_is_true_as_often_as_it_says() -> None:
    """Pairs of a group share their chance: Wilson's interval would cover far less often."""
    covered = blind = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        chances = rng.beta(1.4, 0.6, 30)
        groups = np.repeat(np.arange(30), 8)
        scores = (rng.random(240) < chances[groups]).astype(float)
        found = share(scores, [str(g) for g in groups], seed=seed, resamples=400)
        covered += found.low <= 0.7 <= found.high
        blind += share(scores).low <= 0.7 <= share(scores).high
    assert 130 <= covered <= 149
    assert blind < 110


def test_slices_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(0).choice([0.0, 0.5, 1.0], 111)
    groups = [f"g{k % 37}" for k in range(111)]
    whole = share(scores, groups, resamples=1000)
    monkeypatch.setattr(preferences, "_CELLS", 37 * 64)
    assert share(scores, groups, resamples=1000) == whole
    assert share(scores, groups, resamples=1000, seed=1) != whole


def test_a_share_is_told_in_per_cent() -> None:
    assert share(np.array([1.0, 0.0])).told() == "50.0% [9.5%, 90.5%]"


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(DataError, match="no pair"):
        share(np.array([]))
    with pytest.raises(DataError, match="one group"):
        share(np.array([1.0, 0.0]), ["a", "a"])
    with pytest.raises(DataError, match="no number"):
        likelihood_accuracy([item("a", float("nan"), -1.0)])
    with pytest.raises(DataError, match="scored twice"):
        likelihood_accuracy([item("a", -1.0, -2.0)] * 2)
    for other in (item("b", -1, -1), item("a", -1, -1, tokens=(4, 5))):
        with pytest.raises(DataError, match="same pairs"):
            preference_accuracy([item("a", -1, -1)], [other])
