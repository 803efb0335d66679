"""Scores of models in the lake: a row a model and metric, and a row an item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from schemas.evaluations import EVALUATION_ITEMS, EVALUATIONS
from winnow.lake.lake import Lake
from winnow.lake.records import replace_rows


@dataclass(frozen=True)
class ItemScore:
    """The value of the metric on one item."""

    item_id: str
    value: float
    tokens: int
    seconds: float


@dataclass(frozen=True)
class Score:
    """A model on a benchmark."""

    evaluation_id: str
    model_hash: str
    checkpoint_id: str | None
    benchmark: str
    benchmark_version: str
    metric: str
    value: float
    items: Sequence[ItemScore]

    def record(self, lake: Lake, line: str) -> None:
        """Writes the score and its items; the same score again replaces itself."""
        items = [{"evaluation_id": self.evaluation_id, "model": line, **vars(item)} for item in self.items]
        summary: dict[str, Any] = {
            "evaluation_id": self.evaluation_id,
            "model": line,
            "model_hash": self.model_hash,
            "checkpoint_id": self.checkpoint_id,
            "benchmark": self.benchmark,
            "benchmark_version": self.benchmark_version,
            "metric": self.metric,
            "value": self.value,
            "n": len(self.items),
            "seconds": sum(item.seconds for item in self.items),
        }
        rows = pa.Table.from_pylist(items, EVALUATION_ITEMS.arrow_schema())
        replace_rows(lake, EVALUATION_ITEMS, line, rows)
        replace_rows(lake, EVALUATIONS, line, pa.Table.from_pylist([summary], EVALUATIONS.arrow_schema()))
