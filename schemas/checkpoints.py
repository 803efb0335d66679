"""Checkpoints, and the rows that each was trained on, in training order."""

import pyarrow as pa

from schemas.contract import Column, Contract

_MODEL = Column("model", pa.string(), "Slug of the model line that the checkpoint belongs to.")
_CHECKPOINT_ID = Column("checkpoint_id", pa.string(), "Hash of release, base, config, code and row order.")

METHODS = ("sft", "dpo")

CHECKPOINTS = Contract(
    table="checkpoints",
    zone="open",
    description="Trained checkpoints: what each was trained on, from what and how.",
    columns=(
        _CHECKPOINT_ID,
        _MODEL,
        Column("method", pa.string(), "How it was trained: sft or dpo."),
        Column(
            "parent_checkpoint_id",
            pa.string(),
            "Checkpoint whose adapter training went on from; null for a fresh adapter.",
            nullable=True,
        ),
        Column("release", pa.string(), "Name of the release trained on."),
        Column("release_hash", pa.string(), "Content hash of that release."),
        Column("base_hash", pa.string(), "Hash of the weights of the base model."),
        Column("config", pa.string(), "JSON text of the recipe, keys sorted."),
        Column("code_version", pa.string(), "Declared version of the training code."),
        Column("row_order_hash", pa.string(), "Hash of the row ids in the order in which they were trained."),
        Column("rows", pa.int64(), "Number of rows trained on."),
        Column("tokens", pa.int64(), "Tokens seen in training, repeats counted."),
        Column("steps", pa.int64(), "Optimizer steps."),
        Column("final_loss", pa.float64(), "Mean training loss at the last logged step."),
        Column("files", pa.string(), "JSON text: a list of path, size in bytes and sha256 of each file."),
        Column(
            "wall_seconds",
            pa.float64(),
            "Seconds of training, pauses left out.",
            operational=True,
        ),
        Column("created_at", pa.timestamp("us", tz="UTC"), "When training ended.", operational=True),
    ),
    key=("checkpoint_id",),
    partition_by=("model",),
    invariants={"a checkpoint saw rows": '"rows" > 0', "a checkpoint took a step": "steps > 0"}
    | {"method is known": f"method IN {METHODS}"},
)
CHECKPOINT_ROWS = Contract(
    table="checkpoint_rows",
    zone="open",
    description="The rows that a checkpoint was trained on, by position.",
    columns=(
        _CHECKPOINT_ID,
        _MODEL,
        Column("position", pa.int64(), "0 for the first row trained on."),
        Column("row_id", pa.string(), "The row."),
        Column("source_of_row", pa.string(), "Immutable id of the source of the row."),
        Column("content_hash", pa.string(), "Content of the row as it was trained on."),
    ),
    key=("checkpoint_id", "position"),
    partition_by=("model",),
    invariants={"positions count from zero": "position >= 0"},
)
