"""Models scored one after another on one base: batches of like length, and word of how far it is."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from evaluation.model_job import ModelRef
from winnow.models.child import Events
from winnow.models.local import load_adapter, load_causal_lm

_SAY_EVERY = 2.0
Row = TypeVar("Row")


def by_length(
    rows: Sequence[Row], width: Callable[[Row], int], size: int, tokens: int
) -> list[tuple[Row, ...]]:
    """Batches of rows of like width: at most `size` rows and `tokens` padded tokens; a wide row is alone.

    Rows of one width stay in the order given.
    """
    batches: list[tuple[Row, ...]] = []
    current: list[Row] = []
    for row in sorted(rows, key=width):
        if current and (len(current) == size or (len(current) + 1) * width(row) > tokens):
            batches.append(tuple(current))
            current = []
        current.append(row)
    return [*batches, tuple(current)] if current else batches


def score_models(
    base: Path,
    models: Sequence[ModelRef],
    left: Mapping[str, Sequence[Row]],
    score: Callable[[str, Any, Row], None],
    events: Events,
) -> None:
    """Calls `score` with name, model and batch for each batch that is left of each model; loads only these.

    The base is loaded once; each model is the base or the base with an adapter.
    """
    total = sum(len(left[m.name]) for m in models)
    if not total:
        return
    model = load_causal_lm(base)
    started = said = time.monotonic()
    scored = 0
    # The bare base first: once an adapter is on it, its layers are wrapped
    for ref in sorted(models, key=lambda m: m.adapter is not None):
        if ref.adapter is not None and left[ref.name]:
            model = load_adapter(model, ref.adapter, ref.name)
            model.set_adapter(ref.name)
        for batch in left[ref.name]:
            score(ref.name, model, batch)
            scored += 1
            now = time.monotonic()
            eta = (now - started) / scored * (total - scored)
            values: dict[str, Any] = {"model": ref.name, "batch": scored, "batches": total}
            if scored == total or now - said >= _SAY_EVERY:
                said = now
                values["message"] = f"{ref.name}: batch {scored} of {total}, {eta:.0f} s left"
            events.send("batch", eta_seconds=round(eta, 1), **values)
