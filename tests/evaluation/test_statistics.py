from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation import statistics
from evaluation.statistics import relative_worsening
from winnow.core.errors import DataError

Losses = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def losses(n: int, seed: int = 0, worse: float = 0.0, noise: float = 0.1) -> Losses:
    rng = np.random.default_rng(seed)
    tokens = rng.integers(5, 300, n)
    reference = tokens * rng.lognormal(0.0, 0.5, n)
    return reference * (1 + worse + rng.normal(0.0, noise, n)).clip(0.01), reference, tokens


def test_golden_scipy_draws_the_same_interval() -> None:
    from scipy.stats import bootstrap

    new, reference, tokens = losses(60, worse=0.03)

    def worsening(new: Any, reference: Any, tokens: Any, axis: int) -> Any:
        weighted = new.sum(axis) / tokens.sum(axis), reference.sum(axis) / tokens.sum(axis)
        return (weighted[0] - weighted[1]) / weighted[1]

    golden = bootstrap(
        (new, reference, tokens),
        worsening,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=4000,
        confidence_level=0.95,
        rng=np.random.default_rng(7),
    ).confidence_interval
    found = relative_worsening(new, reference, tokens, seed=7, resamples=4000)
    assert (found.low, found.high) == pytest.approx((golden.low, golden.high), abs=1e-12)
    assert found.d == pytest.approx(float(worsening(new, reference, tokens, 0)))


def test_the_interval_covers_what_is_true_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(200):
        found = relative_worsening(*losses(80, seed, worse=0.04, noise=0.2), seed=seed, resamples=500)
        covered += found.low <= 0.04 <= found.high
    assert 176 <= covered <= 199


@given(st.integers(1, 40), st.integers(0, 99), st.floats(0.1, 10))
@settings(deadline=None, max_examples=40)
def test_scale_and_equality(n: int, seed: int, scale: float) -> None:
    new, reference, tokens = losses(n, seed)
    found = relative_worsening(new, reference, tokens, resamples=200)
    scaled = relative_worsening(new * scale, reference * scale, tokens, resamples=200)
    assert (scaled.d, scaled.low, scaled.high) == pytest.approx((found.d, found.low, found.high), abs=1e-9)
    assert found.low <= found.high
    same = relative_worsening(reference, reference, tokens, resamples=200)
    assert (same.d, same.low, same.high) == (0.0, 0.0, 0.0)
    doubled = relative_worsening(reference * 2, reference, tokens, resamples=200)
    assert (doubled.d, doubled.low, doubled.high) == pytest.approx((1.0, 1.0, 1.0))


def test_long_rows_weigh_more() -> None:
    found = relative_worsening([100.0, 10.0], [100.0, 5.0], [100, 5])
    assert found.d == pytest.approx(5 / 105)
    assert found.reference == pytest.approx(1.0)
    assert found.new == pytest.approx(110 / 105)


def test_slices_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    data = losses(37)
    whole = relative_worsening(*data, resamples=1000)
    monkeypatch.setattr(statistics, "_CELLS", 37 * 64)
    assert relative_worsening(*data, resamples=1000) == whole
    assert relative_worsening(*data, resamples=1000, seed=1) != whole


@pytest.mark.parametrize(
    ("new", "reference", "tokens"),
    [
        ([], [], []),
        ([1.0], [1.0, 2.0], [3]),
        ([float("nan")], [1.0], [3]),
        ([1.0], [float("inf")], [3]),
        ([1.0], [0.0], [3]),
        ([1.0], [1.0], [0]),
    ],
)
def test_what_cannot_be_compared_is_refused(new: Any, reference: Any, tokens: Any) -> None:
    with pytest.raises(DataError):
        relative_worsening(new, reference, tokens)
