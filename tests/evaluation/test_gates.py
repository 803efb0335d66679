import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import preferences
from evaluation.gate import judge
from evaluation.gates import (
    Gate,
    GatesConfig,
    PromotionDecision,
    decide_all,
    load_gates,
    of_accuracy,
    of_loss,
    of_passes,
)
from evaluation.gates.config import SHIPPED
from evaluation.outcomes import Compared, Contaminated, NotRun, Outcome
from evaluation.passes import compare_passes
from evaluation.preferences import Share, wilson
from evaluation.statistics import Worsening
from winnow.core.config import load_model
from winnow.core.errors import ConfigError

DEFAULT = load_gates()
FIX = NotRun("bubblewrap is missing: apt-get install bubblewrap")


def loss(low: float = -0.1, high: float = -0.02, n: int = 40) -> Compared:
    middle = (low + high) / 2
    return Compared("nats_per_token", "lower", "relative", 2 * (1 + middle), 2.0, middle, low, high, n, 0.95)


def share(value: float, low: float, high: float, n: int) -> Share:
    return Share(value, low, high, "wilson", n, None, 0.95, 0, 0)


def accuracy(right: int, n: int = 100) -> Compared:
    return of_accuracy(share(right / n, *wilson(right, n), n))


def humaneval(gained: int = 0, lost: int = 0, n: int = 20) -> Compared:
    new = {f"HumanEval/{i}": lost <= i for i in range(n)}
    reference = {f"HumanEval/{i}": gained <= n - 1 - i for i in range(n)}
    return of_passes(compare_passes(new, reference))


def decided(config: GatesConfig = DEFAULT, **outcomes: Outcome) -> PromotionDecision:
    good: dict[str, Outcome] = {
        "heldout_loss": loss(),
        "preference_accuracy": accuracy(80),
        "humaneval": humaneval(),
    }
    return decide_all(config, good | outcomes, candidate="c1", reference="base", evaluation_ids=["e1"])


def verdicts(decision: PromotionDecision) -> dict[str, str]:
    return {line.benchmark: line.verdict for line in decision.gates}


def test_what_every_required_gate_promotes_is_promoted() -> None:
    found = decided()
    assert found.promotes
    assert verdicts(found) == {
        "heldout_loss": "promote",
        "preference_accuracy": "promote",
        "humaneval": "inconclusive",
    }


@pytest.mark.parametrize(
    ("outcomes", "verdict", "told"),
    [
        ({"heldout_loss": loss(0.06, 0.2)}, "reject", "heldout_loss: .* lies wholly above 5%"),
        ({"heldout_loss": loss(0.0, 0.2)}, "inconclusive", "heldout_loss: .* reaches beyond 5%"),
        ({"heldout_loss": loss(n=7)}, "inconclusive", "heldout_loss: 7 items; 8 are needed"),
        ({"preference_accuracy": accuracy(20)}, "reject", "preference_accuracy: .* wholly above 0.05"),
        ({"preference_accuracy": accuracy(50)}, "inconclusive", "preference_accuracy: .* beyond 0.05"),
        (
            {"heldout_loss": loss(0.0, 0.2), "preference_accuracy": accuracy(20)},
            "reject",
            "^preference_accuracy",
        ),
        ({"humaneval": FIX}, "not promotable", "^humaneval: not run: bubblewrap is missing: apt-get"),
        ({"heldout_loss": FIX}, "not promotable", "^heldout_loss: not run"),
        (
            {"humaneval": Contaminated(3)},
            "not promotable",
            r"humaneval: contaminated \(3 items\): .* decontaminated release",
        ),
        ({"humaneval": FIX, "heldout_loss": loss(0.06, 0.2)}, "not promotable", "^humaneval: not run"),
    ],
)
def test_what_blocks_is_named_with_its_reason(outcomes: dict[str, Outcome], verdict: str, told: str) -> None:
    found = decided(**outcomes)
    assert found.verdict == verdict
    assert not found.promotes
    assert len(found.reason.splitlines()) == 1
    assert re.search(told, found.reason)


@given(st.integers(0, 20), st.integers(0, 20))
def test_what_a_reported_gate_measured_never_blocks(gained: int, lost: int) -> None:
    if gained + lost <= 20:
        assert decided(humaneval=humaneval(gained, lost)).promotes


def test_a_benchmark_that_nobody_ran_is_not_passed_over() -> None:
    found = decide_all(
        DEFAULT, {"heldout_loss": loss(), "humaneval": humaneval()}, candidate="c", reference="b"
    )
    assert found.verdict == "not promotable"
    assert "preference_accuracy: not run: nothing measured it" in found.reason


bound = st.floats(-1, 1, allow_nan=False)


@given(bound, bound, st.sampled_from([0, 3, 8, 40]))
def test_a_gate_on_the_loss_decides_as_the_loss_alone_does(one: float, two: float, n: int) -> None:
    low, high = sorted((one, two))
    assert verdicts(decided(heldout_loss=loss(low, high, n)))["heldout_loss"] == judge(low, high, 0.05, n)


@given(bound, bound)
def test_higher_is_better_is_lower_is_better_turned_round(one: float, two: float) -> None:
    low, high = sorted((one, two))
    up = of_accuracy(share(0.5, 0.5 + low, 0.5 + high, 40))
    line = next(g for g in decided(preference_accuracy=up).gates if g.benchmark == "preference_accuracy")
    assert (line.low, line.high) == (-up.high, -up.low)
    assert line.verdict == judge(-up.high, -up.low, 0.05, 40)


WORSE = Worsening(
    d=0.02, low=-0.01, high=0.04, new=1.02, reference=1.0, n=40, level=0.9, resamples=300, seed=5
)


def test_a_loss_is_judged_by_what_was_found() -> None:
    [line, *_] = decided(heldout_loss=of_loss(WORSE)).gates
    assert (line.verdict, line.d, line.low, line.high) == ("promote", 0.02, -0.01, 0.04)
    assert (line.value, line.reference_value, line.n, line.level) == (1.02, 1.0, 40, 0.9)


def test_the_record_holds_every_gate_and_at_its_top_the_numbers_of_the_first_that_is_required() -> None:
    found = decided(heldout_loss=of_loss(WORSE), humaneval=humaneval(2, 1))
    record = json.loads(json.dumps(found.record()))
    assert {name: record[name] for name in ("candidate", "reference", "verdict", "metric")} == {
        "candidate": "c1",
        "reference": "base",
        "verdict": "promote",
        "metric": "heldout_loss",
    }
    numbers = ("d", "low", "high", "level", "threshold", "n", "candidate_value", "reference_value")
    assert [record[name] for name in numbers] == [0.02, -0.01, 0.04, 0.9, 0.05, 40, 1.02, 1.0]
    assert record["gates"][2]["note"] == "gained HumanEval/18, HumanEval/19; lost HumanEval/0; p = 1"
    own = {name: value for name, value in record.items() if name in PromotionDecision.model_fields}
    assert PromotionDecision.model_validate_json(json.dumps(own)) == found


def test_a_gate_that_judges_something_else_than_was_measured_is_an_error() -> None:
    raw = DEFAULT.model_dump(mode="json")
    raw["gates"][0] |= {"direction": "higher", "metric": "perplexity"}
    with pytest.raises(ConfigError, match=r"gate `heldout_loss`: `metric`: got perplexity.*`direction`"):
        decided(load_model(GatesConfig, raw))


def gate(**fields: Any) -> dict[str, Any]:
    return {
        "benchmark": "heldout_loss",
        "metric": "nats_per_token",
        "direction": "lower",
        "max_relative_worsening": 0.05,
        "required": True,
    } | fields


@pytest.mark.parametrize(
    ("gates", "told"),
    [
        ([], "at least 1 item"),
        ([gate(required=False)], "no gate is `required`"),
        ([gate(), gate()], "two gates on heldout_loss"),
        ([gate(max_absolute_worsening=0.1)], "write one of `max_relative_worsening`"),
        ([gate(max_relative_worsening=None)], "write one of `max_relative_worsening`"),
        ([gate(treshold=0.1)], "no such key"),
        ([gate(direction="up")], "'lower' or 'higher'"),
    ],
)
def test_faulty_gates_are_refused(gates: list[dict[str, Any]], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_model(GatesConfig, {"gates": gates})


def test_shipped_gates_load_by_name_and_others_by_path(tmp_path: Path) -> None:
    names = sorted(p.stem for p in SHIPPED.glob("*.yaml"))
    assert names == ["default", "tiny"]
    for name in names:
        assert load_gates(name).measures("humaneval")
    with pytest.raises(ConfigError, match="Did you mean `default`"):
        load_gates("defualt")
    own = tmp_path / "own.yaml"
    own.write_text(json.dumps({"gates": [gate()]}))
    assert not load_gates(own).measures("humaneval")


def test_the_demo_requires_loss_and_preference_and_reports_humaneval() -> None:
    assert {g.benchmark: g.required for g in DEFAULT.gates} == {
        "heldout_loss": True,
        "preference_accuracy": True,
        "humaneval": False,
    }


@pytest.mark.parametrize(("groups", "verdict"), [(None, "promote"), (8, "promote"), (7, "inconclusive")])
def test_items_that_are_drawn_by_group_count_by_group(groups: int | None, verdict: str) -> None:
    """48 pairs of two distributions say as little of a third as two pairs do."""
    outcome = Compared("accuracy", "higher", "absolute", 0.8, 0.5, 0.3, 0.2, 0.4, 48, 0.95, groups)
    gate = Gate(
        benchmark="preference_accuracy",
        metric="accuracy",
        direction="higher",
        max_absolute_worsening=0.05,
        required=True,
    )
    decision = decide_all(
        GatesConfig(gates=(gate,)), {"preference_accuracy": outcome}, candidate="c", reference="base"
    )
    assert decision.verdict == verdict
    if verdict == "inconclusive":
        assert "48 items of 7 groups; 8 groups are needed" in decision.reason


def promoted_without_effect(groups: int, pairs: int) -> float:
    """The share of simulated cases: pairs of a group share their chance, which on the whole is one half."""
    promoted = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        of_group = np.repeat(np.arange(groups), pairs // groups)
        scores = (rng.random(len(of_group)) < rng.beta(2, 2, groups)[of_group]).astype(float)
        found = preferences.share(scores, [str(g) for g in of_group], seed=seed, resamples=300)
        promoted += judge(0.5 - found.high, 0.5 - found.low, 0.05) == "promote"
    return promoted / 150


def test_as_many_pairs_of_two_distributions_would_promote_what_has_no_effect() -> None:
    assert promoted_without_effect(2, 48) > 0.25
    assert promoted_without_effect(8, 48) < 0.17
