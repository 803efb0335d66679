"""Candidates that failed their audit and were published all the same, because a person said so."""

import pyarrow as pa

from schemas.contract import Column, Contract

ACCEPTANCES = Contract(
    table="acceptances",
    zone="open",
    description="Candidates that a person let through although named checks of their audit had failed.",
    columns=(
        Column("source", pa.string(), "Immutable id of the source."),
        Column("layer", pa.string(), "The table that the candidate was for."),
        Column("attempt", pa.string(), "The candidate; the files of the partition carry it in their names."),
        Column("stage", pa.string(), "Stage that wrote it."),
        Column("stage_version", pa.string(), "The stage version that it was published under."),
        Column("data_version", pa.string(), "The rows that were let through."),
        Column("checks", pa.list_(pa.string()), "Names of the invariants that were overridden, sorted."),
        Column("failures", pa.list_(pa.string()), "What the audit said of each; no text of a row."),
        Column("why", pa.string(), "The reason that the person gave."),
        Column("who", pa.string(), "The user who accepted it.", operational=True),
        Column("accepted_at", pa.timestamp("us", tz="UTC"), "When.", operational=True),
    ),
    key=("layer", "attempt"),
    invariants={
        "an acceptance overrides a check": "len(checks) > 0 AND len(checks) = len(failures)",
        "an acceptance has a reason": "why <> ''",
    },
)
