"""The test on two counts against exact arithmetic and published values, and when it speaks."""

import math
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import CONVERSATIONS
from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.core.firing import Fired
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.curation.sanitize.history import (
    FiringConfig,
    FiringWatch,
    binomial_tail,
    more_often,
    numbers,
    over_firing,
    told,
)

NO_ROWS = pa.RecordBatch.from_pylist([], schema=CONVERSATIONS.arrow_schema())


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 99))
def test_the_tail_is_the_exact_one(least: int, trials: int, percent: int) -> None:
    p = Fraction(percent, 100)
    exact = sum(
        (math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(least, trials + 1)),
        Fraction(0),
    )
    assert binomial_tail(least, trials, percent / 100) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


@given(st.integers(1, 10**7), st.integers(0, 10**6), st.floats(0, 1))
def test_a_tail_is_a_probability(trials: int, least: int, chance: float) -> None:
    assert 0.0 <= binomial_tail(min(least, trials), trials, chance) <= 1.0


@given(st.integers(0, 25), st.integers(1, 400), st.integers(0, 25), st.integers(1, 400))
def test_the_p_value_is_that_of_the_conditional_test(
    fired: int, rows: int, before: int, rows_before: int
) -> None:
    """Given the sum of two Poisson counts, one of them is binomial with its part of the rows."""
    total, part = fired + before, Fraction(rows, rows + rows_before)
    exact = sum(
        (math.comb(total, k) * part**k * (1 - part) ** (total - k) for k in range(fired, total + 1)),
        Fraction(0),
    )
    assert more_often(fired, rows, before, rows_before) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


@given(st.integers(1, 500), st.integers(0, 50))
def test_more_hits_are_stronger_evidence_and_more_patience_is_weaker(fired: int, before: int) -> None:
    once = more_often(fired, 1000, before, 1000)
    assert more_often(fired + 1, 1000, before, 1000) <= once
    assert more_often(fired, 1000, before, 1000, times=3.0) >= once


def test_a_category_far_above_its_history_is_named_with_both_rates() -> None:
    history = {"web": Fired(50_000, {"person": 100, "jwt": 40})}
    (found,) = over_firing("web", Fired(10_000, {"person": 900, "jwt": 12}), history)
    assert found.category == "person"
    assert str(found) == (
        "web: `person` fired in 900 of the first 10,000 rows (9 %), and in 100 of 50,000 (0.2 %) before"
    )
    assert told([found]) == str(found)
    assert told([]).startswith("No category")


@given(st.integers(100, 100_000), st.floats(0, 0.3), st.floats(0.2, 2.9))
def test_up_to_the_named_factor_there_is_no_warning(rows: int, rate: float, factor: float) -> None:
    before, now = round(100_000 * rate), round(rows * min(1.0, rate * factor))
    assert over_firing("s", Fired(rows, {"token": now}), {"s": Fired(100_000, {"token": before})}) == () or (
        now * 100_000 > 3 * before * rows
    )


def test_little_history_is_little_evidence_and_none_is_none() -> None:
    now = Fired(1_000, {"token": 9})
    assert over_firing("s", now, {"s": Fired(100, {})}) == ()
    assert over_firing("s", now, {}) == ()
    assert over_firing("s", now, {"s": Fired(0)}) == ()
    assert over_firing("s", now, {"s": Fired(1_000_000, {})})


def test_a_rare_category_is_not_worth_a_warning() -> None:
    history = {"s": Fired(10_000_000, {})}
    assert over_firing("s", Fired(100_000, {"token": 50}), history) == ()
    assert over_firing("s", Fired(100_000, {"token": 50}), history, FiringConfig(least_share=0.0))


def test_a_new_source_is_held_against_the_one_that_fires_most() -> None:
    others = {
        "code": Fired(100_000, {"email_address": 100}),
        "chat": Fired(100_000, {"email_address": 9_000}),
    }
    assert over_firing("mail", Fired(5_000, {"email_address": 600}), others) == ()
    (found,) = over_firing("mail", Fired(5_000, {"email_address": 4_000}), others)
    assert found.against == "chat"
    assert "of chat, the most of any source" in str(found)
    assert over_firing("mail", Fired(5_000, {"email_address": 4_000}), {"tiny": Fired(999)}) == ()


def output(rows: int, fired: int) -> StageOutput:
    verdicts = [
        Verdict(str(n), "s", "redact", "token/x", spans=(Span("token", "x", "/p", 0, 1),))
        for n in range(fired)
    ]
    return StageOutput(rows, NO_ROWS, verdict_batch(verdicts))


def test_a_run_is_warned_once_when_its_first_rows_are_seen() -> None:
    watch = FiringWatch("s", {"s": Fired(10_000, {"token": 10})}, FiringConfig(first_rows=1_000))
    assert watch.add(output(500, 250)) == ()
    assert not watch.full
    assert [w.category for w in watch.add(output(512, 256))] == ["token"]
    assert watch.full
    assert watch.add(output(512, 512)) == ()
    assert watch.seen == Fired(1_012, {"token": 506})
    assert [w.category for w in watch.warnings()] == ["token"]
    assert numbers(watch) == {"first_rows": 1012.0, "share_token": 0.5}


def test_a_short_run_is_judged_by_all_of_its_rows() -> None:
    watch = FiringWatch("s", {"s": Fired(10_000, {"token": 10})})
    assert watch.add(output(200, 100)) == ()
    assert [w.fired for w in watch.warnings()] == [100]


def test_thresholds_that_make_no_sense_are_refused_together() -> None:
    with pytest.raises(ConfigError, match="3 to fix") as refused:
        load_model(FiringConfig, {"times": 0.5, "p_value": 0, "first_row": 5})
    assert "Did you mean `first_rows`?" in str(refused.value)
