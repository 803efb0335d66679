"""Scores of models, and what each is made of."""

import pyarrow as pa

from schemas.contract import Column, Contract

_MODEL = Column("model", pa.string(), "Slug of the model line that was evaluated.")
_EVALUATION_ID = Column("evaluation_id", pa.string(), "Hash of model, benchmark version and settings.")

EVALUATIONS = Contract(
    table="evaluations",
    zone="open",
    description="A score of a model on a benchmark, a metric a row.",
    columns=(
        _EVALUATION_ID,
        _MODEL,
        Column("model_hash", pa.string(), "Hash of the weights evaluated."),
        Column("checkpoint_id", pa.string(), "Checkpoint evaluated; null for a base model.", nullable=True),
        Column("benchmark", pa.string(), "Name of the benchmark."),
        Column("benchmark_version", pa.string(), "Hash of its items and its scorer: equal versions compare."),
        Column("metric", pa.string(), "Name of the metric."),
        Column("value", pa.float64(), "Value of the metric over all items."),
        Column("n", pa.int64(), "Number of items."),
        Column("seconds", pa.float64(), "Seconds the evaluation took.", operational=True),
    ),
    key=("evaluation_id", "metric"),
    partition_by=("model",),
    invariants={"a score has items": "n > 0"},
)
EVALUATION_ITEMS = Contract(
    table="evaluation_items",
    zone="open",
    description="The value of each item of an evaluation, so that two models compare item by item.",
    columns=(
        _EVALUATION_ID,
        _MODEL,
        Column("item_id", pa.string(), "The benchmark's own id of the item, or a row id."),
        Column("value", pa.float64(), "Value of the metric on this item."),
        Column("tokens", pa.int64(), "Tokens scored."),
        Column("seconds", pa.float64(), "Seconds this item took.", operational=True),
    ),
    key=("evaluation_id", "item_id"),
    partition_by=("model",),
)
