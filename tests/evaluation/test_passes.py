import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.passes import (
    compare_passes,
    mcnemar,
    paired_interval,
)
from winnow.core.errors import DataError


@given(st.integers(0, 200), st.integers(0, 200))
@settings(deadline=None)
def test_golden_mcnemar_is_the_binomial_test(gained: int, lost: int) -> None:
    stats = pytest.importorskip("scipy.stats", reason="SciPy comes with scikit-learn, in the extra `dev`")
    if gained + lost:
        golden = stats.binomtest(gained, gained + lost).pvalue
        assert mcnemar(gained, lost) == pytest.approx(golden, rel=1e-9)


def test_golden_paired_interval() -> None:
    """Fagerland, Lydersen and Laake 2014 (Stat. Med. 33:2850): 1 and 7 discordant of 21."""
    assert paired_interval(1, 7, 21) == pytest.approx((-0.517, -0.026), abs=5e-4)


@given(st.integers(1, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))))
@settings(deadline=None)
def test_the_interval_holds_the_difference_and_turns_with_the_models(flips: tuple[int, int, int]) -> None:
    gained, lost, n = flips
    if gained + lost > n:
        with pytest.raises(DataError, match="no more can flip"):
            paired_interval(gained, lost, n)
        return
    low, high = paired_interval(gained, lost, n)
    assert -1 <= low <= (gained - lost) / n <= high <= 1
    assert low < high
    assert paired_interval(lost, gained, n) == pytest.approx((-high, -low), abs=1e-9)


def test_the_interval_covers_what_is_true_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for gained, lost, _ in rng.multinomial(24, [0.15, 0.05, 0.8], 2000):
        low, high = paired_interval(int(gained), int(lost), 24)
        covered += low <= 0.10 <= high
    assert 0.93 <= covered / 2000 <= 0.98


def test_flips_are_named_in_the_order_of_their_numbers() -> None:
    reference = {f"HumanEval/{i}": i % 2 == 0 for i in range(12)}
    new = reference | {"HumanEval/10": False, "HumanEval/2": False, "HumanEval/9": True}
    found = compare_passes(new, reference)
    assert found.gained == ("HumanEval/9",)
    assert found.lost == ("HumanEval/2", "HumanEval/10")
    assert (found.new, found.reference) == (5 / 12, 6 / 12)
    assert found.difference == pytest.approx(-1 / 12)
    assert found.low < found.difference < found.high
    assert found.p == 1.0


@given(
    st.dictionaries(st.text(min_size=1), st.tuples(st.booleans(), st.booleans()), min_size=1), st.randoms()
)
@settings(deadline=None)
def test_the_order_of_problems_changes_nothing(
    answers: dict[str, tuple[bool, bool]], rng: random.Random
) -> None:
    names = list(answers)
    rng.shuffle(names)
    found = compare_passes({i: answers[i][0] for i in names}, {i: answers[i][1] for i in answers})
    assert found == compare_passes(
        {i: a for i, (a, _) in answers.items()}, {i: b for i, (_, b) in answers.items()}
    )
    assert found.difference == pytest.approx(found.new - found.reference)


def test_other_problems_do_not_compare() -> None:
    with pytest.raises(DataError, match="1 problems were run with the new model only"):
        compare_passes({"a": True, "b": True}, {"a": True})
    with pytest.raises(DataError, match="of 0"):
        compare_passes({}, {})
