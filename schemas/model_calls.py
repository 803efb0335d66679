"""Calls of models: what each asked for in figures and what it cost. No text."""

import pyarrow as pa

from schemas.contract import Column, Contract

MODEL_CALLS = Contract(
    table="model_calls",
    zone="open",
    description="Every call of a model, those answered from the cache included: tokens, dollars, latency, purpose.",
    columns=(
        Column("call_id", pa.string(), "Random id of the call; a look-up in the cache has one of its own."),
        Column("day", pa.string(), "UTC day of the call, such as 2026-01-31."),
        Column("called_at", pa.timestamp("us", tz="UTC"), "When the call was made.", operational=True),
        Column("provider", pa.string(), "anthropic, openai (every server of its protocol) or local."),
        Column("model", pa.string(), "The model asked; of a local one its directory's name and hash."),
        Column("purpose", pa.string(), "What the call was for."),
        Column("request_hash", pa.string(), "Keyed hash of the whole request; names the stored answer."),
        Column("tokens_in", pa.int64(), "Tokens of the prompt; null where none are known.", nullable=True),
        Column("tokens_out", pa.int64(), "Tokens of the reply; null where none are known.", nullable=True),
        Column("tokens_cached", pa.int64(), "Tokens of the prompt in the server's own cache.", nullable=True),
        Column("dollars", pa.float64(), "Cost of the answer by the price list.", operational=True),
        Column(
            "dollars_at_risk",
            pa.float64(),
            "The most that attempts without an answer may have cost on top.",
            operational=True,
        ),
        Column(
            "latency_seconds",
            pa.float64(),
            "Seconds of the attempt that answered; null without one, and from the cache.",
            nullable=True,
            operational=True,
        ),
        Column("attempts", pa.int64(), "Times it was sent; 0 from the cache.", operational=True),
        Column("cache_hit", pa.bool_(), "Whether the answer was stored before."),
        Column(
            "resent",
            pa.bool_(),
            "An earlier run sent the same request and never learned the answer: it may have been paid before.",
            operational=True,
        ),
        Column("finish_reason", pa.string(), "Why the reply ended; null without one.", nullable=True),
        Column("failure", pa.string(), "Why there is no reply; null where there is one.", nullable=True),
    ),
    key=("call_id",),
    partition_by=("day",),
    invariants={
        "a call has a reply or a failure": "(finish_reason IS NULL) <> (failure IS NULL)",
        "a call from the cache costs nothing": "NOT cache_hit OR dollars = 0",
        "nothing costs less than nothing": "dollars >= 0 AND dollars_at_risk >= 0",
    },
)
