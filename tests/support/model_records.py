"""What a lake says of its checkpoints: the rows in order exactly, losses to within what sums may differ."""

from dataclasses import dataclass
from typing import Any

from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from schemas.evaluations import EVALUATION_ITEMS, EVALUATIONS
from winnow.lake.content_hash import hash_table
from winnow.lake.lake import Lake

METRIC = "nats_per_token"
LOSS = 1e-4
"""Nats a token by which the same training may end apart: sums differ with the number of threads."""


@dataclass(frozen=True)
class ModelRecords:
    """Hash of the trained rows in order, checkpoints without their files, and every loss."""

    row_order: str
    checkpoints: list[dict[str, Any]]
    losses: dict[tuple[str, ...], float]

    @classmethod
    def of(cls, lake: Lake) -> "ModelRecords":
        rows = [row for batch in lake.scan(CHECKPOINTS.table) for row in batch.to_pylist()]
        kept = ("checkpoint_id", "release", "release_hash", "base_hash", "config", "code_version")
        kept += ("row_order_hash", "rows", "tokens", "steps")
        losses = {("final", row["checkpoint_id"]): row["final_loss"] for row in rows}
        models: dict[str, str] = {}
        for batch in lake.scan(EVALUATIONS.table):
            for row in batch.to_pylist():
                if row["metric"] != METRIC:
                    continue  # right or wrong: of two near answers a sum's last digit decides
                models[row["evaluation_id"]] = row["checkpoint_id"] or "base"
                losses["mean", models[row["evaluation_id"]], row["metric"]] = row["value"]
        for batch in lake.scan(EVALUATION_ITEMS.table):
            for row in batch.to_pylist():
                if row["evaluation_id"] not in models:
                    continue
                losses["item", models[row["evaluation_id"]], row["item_id"]] = row["value"]
        return cls(
            hash_table(lake, CHECKPOINT_ROWS).hexdigest,
            [{name: row[name] for name in kept} for row in rows],
            losses,
        )

    def assert_same(self, other: "ModelRecords") -> float:
        """Holds one against another; returns the largest difference of a loss, in nats a token."""
        assert self.row_order == other.row_order
        assert self.checkpoints == other.checkpoints
        assert self.checkpoints
        assert self.losses.keys() == other.losses.keys()
        apart = max(abs(loss - other.losses[key]) for key, loss in self.losses.items())
        assert apart <= LOSS
        return apart
