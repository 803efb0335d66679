"""What each benchmark found, in the one form that gates judge."""

from evaluation.outcomes import Compared, Direction, Scale
from evaluation.passes import PairedPasses
from evaluation.preferences import Share
from evaluation.statistics import Worsening


def of_loss(found: Worsening) -> Compared:
    """The held-out loss against the champion's, or the base's: relative change by paired bootstrap."""
    return _compared("nats_per_token", "lower", "relative", found, found.d)


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
    """pass@1 against the reference's on the same problems, with those that flipped and McNemar's p-value."""
    flipped = [
        f"{name} {', '.join(ids)}" for name, ids in (("gained", passes.gained), ("lost", passes.lost)) if ids
    ]
    note = "; ".join([*flipped, f"p = {passes.p:.2g}"] if flipped else ["no problem flipped"])
    return _compared("pass@1", "higher", "absolute", passes, passes.difference, note)


def _compared(
    metric: str,
    better: Direction,
    scale: Scale,
    found: Worsening | PairedPasses,
    change: float,
    note: str = "",
) -> Compared:
    return Compared(
        metric=metric,
        better=better,
        scale=scale,
        value=found.new,
        reference_value=found.reference,
        change=change,
        low=found.low,
        high=found.high,
        n=found.n,
        level=found.level,
        note=note,
    )
