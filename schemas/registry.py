"""Which checkpoint is champion, and every decision that was taken about it."""

import pyarrow as pa

from schemas.contract import Column, Contract

ALIASES = ("champion", "previous")
DECISION = "decision"

REGISTRY = Contract(
    table="registry",
    zone="open",
    description="Aliases of a model as they stand, and its decisions in the order they were taken.",
    columns=(
        Column("model", pa.string(), "Slug of the model line."),
        Column(
            "alias",
            pa.string(),
            "champion, previous, or decision: a past decision, not an alias.",
        ),
        Column(
            "sequence",
            pa.int64(),
            "Number of the decision in this model line, from 1.",
        ),
        Column("checkpoint_id", pa.string(), "The checkpoint that the alias names or the decision is about."),
        Column("release", pa.string(), "Release that the checkpoint was trained on."),
        Column("moved_champion", pa.bool_(), "Whether that decision made its checkpoint champion."),
        Column("decision", pa.string(), "JSON text of the gate's decision, keys sorted."),
        Column("decided_at", pa.timestamp("us", tz="UTC"), "When it was decided.", operational=True),
        Column("decided_by", pa.string(), "Who or what decided.", operational=True),
    ),
    key=("alias", "sequence"),
    partition_by=("model",),
    invariants={
        "alias is known": f"alias IN {(*ALIASES, DECISION)}",
        "decisions count from one": "sequence > 0",
    },
)
