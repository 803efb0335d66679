"""One decision about a checkpoint from all of its gates, and the record of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from evaluation.gate import Verdict, judge, reason_of
from evaluation.gates.config import Gate, GatesConfig
from evaluation.outcomes import Compared, Contaminated, NotRun, Outcome, Scale
from winnow.core.config import ConfigModel
from winnow.core.errors import ConfigError

Overall = Literal["promote", "reject", "inconclusive", "not promotable"]


class GateLine(ConfigModel):
    """One gate: what was measured and what follows. `d` is how much worse the candidate is, below 0 better."""

    benchmark: str
    metric: str
    required: bool
    verdict: Literal["promote", "reject", "inconclusive", "not run"]
    reason: str
    scale: Scale
    threshold: float
    value: float | None = None
    reference_value: float | None = None
    d: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    n: int | None = None
    note: str = ""


class PromotionDecision(ConfigModel):
    """What all gates together decided about a candidate, and everything that they decided from."""

    candidate: str
    reference: str
    """The champion, or the base model where there is none."""
    verdict: Overall
    reason: str
    gates: tuple[GateLine, ...]
    evaluation_ids: tuple[str, ...] = ()

    @property
    def promotes(self) -> bool:
        return self.verdict == "promote"

    def record(self) -> dict[str, Any]:
        """The decision as the registry keeps it.

        The numbers of the first required gate that ran stand at the top too, where decisions of one gate have
        theirs, so that one query reads both.
        """
        numbers: dict[str, Any] = {}
        for gate in self.gates:
            if gate.required and gate.verdict != "not run":
                numbers = {
                    "metric": gate.benchmark,
                    "candidate_value": gate.value,
                    **gate.model_dump(
                        include={"d", "low", "high", "level", "n", "threshold", "reference_value"}
                    ),
                }
                break
        return {**self.model_dump(mode="json"), **numbers}


def decide_all(
    config: GatesConfig,
    outcomes: Mapping[str, Outcome],
    *,
    candidate: str,
    reference: str,
    evaluation_ids: Sequence[str] = (),
) -> PromotionDecision:
    """The decision on a candidate, given what came of each benchmark by its name.

    Promoted is what every required gate promotes while no gate, required or reported, was left unrun; what a
    reported gate measured never blocks. A benchmark without an outcome, or contaminated, counts as not run.
    Raises ConfigError for a gate that names another metric, direction or scale than was measured.
    """
    lines = tuple(_line(gate, outcomes.get(gate.benchmark)) for gate in config.gates)
    verdict, reason = _overall(lines)
    return PromotionDecision(
        candidate=candidate,
        reference=reference,
        verdict=verdict,
        reason=reason,
        gates=lines,
        evaluation_ids=tuple(evaluation_ids),
    )


def _overall(lines: Sequence[GateLine]) -> tuple[Overall, str]:
    blocking: tuple[tuple[str, Overall], ...] = (
        ("not run", "not promotable"),
        ("reject", "reject"),
        ("inconclusive", "inconclusive"),
    )
    for found, overall in blocking:
        those = [g for g in lines if g.verdict == found and (g.required or found == "not run")]
        if those:
            return overall, _told(those)
    return "promote", _told([g for g in lines if g.required])


def _told(lines: Sequence[GateLine]) -> str:
    return "; ".join(f"{g.benchmark}: {g.reason.removesuffix('.')}" for g in lines)


def _line(gate: Gate, outcome: Outcome | None) -> GateLine:
    found: dict[str, Any] = {}
    verdict: Verdict | Literal["not run"] = "not run"
    if isinstance(outcome, Compared):
        _refuse_mismatch(gate, outcome)
        d, low, high = _worsening(gate, outcome)
        # What is drawn as a whole is one observation: two groups say nothing of a third, whatever their size
        drawn = outcome.n if outcome.groups is None else outcome.groups
        verdict = judge(low, high, gate.threshold, drawn, gate.min_items)
        reason = reason_of(verdict, low, high, gate.threshold, drawn, gate.min_items, gate.scale)
        if outcome.groups is not None and drawn < gate.min_items:
            reason = f"{outcome.n} items of {drawn} groups; {gate.min_items} groups are needed to judge"
        found = {"value": outcome.value, "reference_value": outcome.reference_value, "d": d, "low": low}
        found |= {"high": high, "level": outcome.level, "n": outcome.n, "note": outcome.note}
    else:
        reason = _not_run(gate, outcome)
    return GateLine(
        benchmark=gate.benchmark,
        metric=gate.metric,
        required=gate.required,
        verdict=verdict,
        reason=reason,
        scale=gate.scale,
        threshold=gate.threshold,
        **found,
    )


def _worsening(gate: Gate, outcome: Compared) -> tuple[float, float, float]:
    """The change as worsening, with its interval: where higher is better, signs turn and bounds swap."""
    if gate.direction == "lower":
        return outcome.change, outcome.low, outcome.high
    # 0.0 - x and not -x, which writes -0.0 for no change
    return 0.0 - outcome.change, 0.0 - outcome.high, 0.0 - outcome.low


def _not_run(gate: Gate, outcome: NotRun | Contaminated | None) -> str:
    if isinstance(outcome, Contaminated):
        return (
            f"contaminated ({outcome.items} items): the model was trained on them. "
            "Train on a decontaminated release."
        )
    if outcome is None:
        return f"not run: nothing measured it. Take the gate `{gate.benchmark}` out, or correct its name."
    return f"not run: {outcome.fix}"


def _refuse_mismatch(gate: Gate, outcome: Compared) -> None:
    wrong = [
        f"`{key}`: got {got}, measured is {measured}"
        for key, got, measured in (
            ("metric", gate.metric, outcome.metric),
            ("direction", gate.direction, outcome.better),
            ("threshold", f"max_{gate.scale}_worsening", f"max_{outcome.scale}_worsening"),
        )
        if got != measured
    ]
    if wrong:
        raise ConfigError(f"gate `{gate.benchmark}`: {'; '.join(wrong)}. Correct the gates file.")
