"""What each benchmark found, in the one form that gates judge."""

from evaluation.gate import GateDecision
from evaluation.outcomes import Compared
from evaluation.pass_at_k import PairedPasses
from evaluation.preferences import Share


def of_loss(decision: GateDecision) -> Compared:
    """The held-out loss against the champion's, or the base's: relative change by paired bootstrap."""
    return Compared(
        metric="nats_per_token",
        better="lower",
        scale="relative",
        value=decision.candidate_value,
        reference_value=decision.reference_value,
        change=decision.d,
        low=decision.low,
        high=decision.high,
        n=decision.n,
        level=decision.level,
    )


def of_accuracy(accuracy: Share) -> Compared:
    """The share of held-out pairs whose chosen text gained on the rejected one, against the model at the start.

    That model prefers neither to itself: its own accuracy is 0.5.
    """
    start = 0.5
    return Compared(
        metric="accuracy",
        better="higher",
        scale="absolute",
        value=accuracy.value,
        reference_value=start,
        change=accuracy.value - start,
        low=accuracy.low - start,
        high=accuracy.high - start,
        n=accuracy.n,
        level=accuracy.level,
        groups=accuracy.groups,
        note=f"interval: {accuracy.interval}" + (f", {accuracy.groups} groups" if accuracy.groups else ""),
    )


def of_passes(passes: PairedPasses) -> Compared:
    """pass@1 against the reference's on the same problems, with the problems that flipped."""
    flipped = [
        f"{name} {', '.join(ids)}" for name, ids in (("gained", passes.gained), ("lost", passes.lost)) if ids
    ]
    return Compared(
        metric="pass@1",
        better="higher",
        scale="absolute",
        value=passes.new,
        reference_value=passes.reference,
        change=passes.difference,
        low=passes.low,
        high=passes.high,
        n=passes.n,
        level=passes.level,
        note="; ".join(flipped) or "no problem flipped",
    )
