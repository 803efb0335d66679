"""Promotion by hand: only what a recorded gate decision allows, for this checkpoint, against this champion."""

from typing import Any

from winnow.core.errors import DataError
from winnow.lake.checkpoint_rows import find_checkpoint
from winnow.lake.lake import Lake
from winnow.lake.registry import Alias, Contender, Decision, aliases, history, swap

PROMOTE = "promote"
_REMEDY = "Run the job `evaluate`: dg launch --job evaluate"


def promote(lake: Lake, name: str, decided_by: str = "") -> dict[str, Alias]:
    """Makes a checkpoint champion by the last gate decision on it against the present champion.

    Returns the aliases as they stand then; they stay where the checkpoint is champion already.

    Raises:
        DataError: no such decision, or its verdict is not `promote`; the message says what to run.
        ConflictError: the champion changed meanwhile.
    """
    checkpoint = find_checkpoint(lake, name)
    model, checkpoint_id = checkpoint["model"], checkpoint["checkpoint_id"]
    now = aliases(lake, model)
    champion = now["champion"].checkpoint_id if "champion" in now else None
    if champion == checkpoint_id:
        return now
    decision = _allowing(lake, model, checkpoint_id, champion)
    contender = Contender(checkpoint_id, checkpoint["release"])
    return swap(lake, model, champion, contender, decision.decision, decided_by)


def _allowing(lake: Lake, model: str, checkpoint_id: str, champion: str | None) -> Decision:
    taken = [d for d in history(lake, model) if d.decision.get("candidate") == d.checkpoint_id]
    about = [d for d in taken if d.checkpoint_id == checkpoint_id]
    against = champion or "the base model"
    if not about:
        raise DataError(f"Not promoted: no gate decision on {checkpoint_id} is recorded. {_REMEDY}.")
    trained = {row["checkpoint_id"] for b in lake.scan("checkpoints") for row in b.to_pylist()}
    fitting = [d for d in about if _is_against(d.decision, champion, trained)]
    if not fitting:
        raise DataError(
            f"Not promoted: {checkpoint_id} was judged against {about[-1].decision.get('reference')}, not "
            f"against {against}, which is what it would replace. {_REMEDY}."
        )
    if fitting[-1].decision.get("verdict") != PROMOTE:
        said = fitting[-1].decision
        remedy = (
            "Do that, and evaluate again: dg launch --job evaluate"
            if said.get("verdict") == "not promotable"
            else "Train a better one: dg launch --job train"
        )
        raise DataError(
            f"Not promoted: the gate's verdict on {checkpoint_id} against {against} is {said.get('verdict')} "
            f"({said.get('reason', 'no reason given')}). {remedy}."
        )
    return fitting[-1]


def _is_against(decision: dict[str, Any], champion: str | None, trained: set[str]) -> bool:
    """Whether it compared with the champion or, while there is none, with what is no checkpoint: the base."""
    reference = decision.get("reference")
    return reference == champion if champion else bool(reference) and reference not in trained
