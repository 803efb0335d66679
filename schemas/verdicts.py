"""What became of every row: one table a stage, holding only what is not a plain keep."""

import pyarrow as pa

from schemas.contract import Column, Contract

SPAN = pa.struct(
    [
        pa.field("category", pa.string()),
        pa.field("detector", pa.string()),
        pa.field("path", pa.string()),
        pa.field("start", pa.int64()),
        pa.field("end", pa.int64()),
    ]
)
DECISIONS = ("keep", "drop", "redact", "park")
STAGES = ("ingest", "normalize", "sanitize", "dedup", "decontaminate", "quality", "split", "preference")
"""Stage names in running order; the stage that writes raw is `ingest`, the one that writes sft_train `split`.
`split` and `preference` both go on from `curated`."""

VERDICT_COLUMNS = (
    Column("row_id", pa.string(), "The row judged."),
    Column("source", pa.string(), "Immutable id of the source."),
    Column(
        "decision", pa.string(), "keep (flagged or changed), drop, redact (kept, spans replaced) or park."
    ),
    Column("rule", pa.string(), "The rule that decided."),
    Column("rules", pa.list_(pa.string()), "All rules that fired, sorted."),
    Column("score", pa.float64(), "The measure the rule decided on, e.g. exact Jaccard.", nullable=True),
    Column("matched_id", pa.string(), "Kept row of a duplicate, or benchmark:item.", nullable=True),
    Column(
        "spans", pa.list_(SPAN), "Where: JSON Pointer into the row, code points, half-open; never the text."
    ),
    Column("fingerprint", pa.string(), "Keyed hash of the evidence.", nullable=True, operational=True),
)


def verdicts_contract(stage: str) -> Contract:
    """The contract of `verdicts_<stage>`."""
    return Contract(
        table=f"verdicts_{stage}",
        zone="open",
        description=f"What the {stage} stage decided, for every row that is not a plain keep.",
        columns=VERDICT_COLUMNS,
        key=("row_id",),
        invariants={"decision is known": f"decision IN {DECISIONS}"},
    )


STAGE_COUNTS = Contract(
    table="stage_counts",
    zone="open",
    description="Rows and tokens a stage took in, kept, dropped and parked, a source and rule.",
    columns=(
        Column("stage", pa.string(), "Stage name."),
        Column("source", pa.string(), "Immutable id of the source."),
        Column(
            "stage_version",
            pa.string(),
            "The stage version of the published partition that these counts describe.",
        ),
        Column(
            "decision", pa.string(), "`in`, or a decision; a redacted row is counted under redact, and kept."
        ),
        Column("rule", pa.string(), "Deciding rule; empty for `in` and for plain keeps."),
        Column("rows", pa.int64(), "Number of rows."),
        Column("tokens", pa.int64(), "Tokens of those rows; null before tokens are known.", nullable=True),
    ),
    key=("stage", "source", "decision", "rule"),
    partition_by=("stage", "source"),
)
TOKEN_COUNTS = Contract(
    table="token_counts",
    zone="open",
    description="Tokens of a content under a tokenizer.",
    columns=(
        Column("source", pa.string(), "Immutable id of the source."),
        Column("content_hash", pa.string(), "Content counted."),
        Column("tokenizer_hash", pa.string(), "Tokenizer that counted; hash of its vocabulary and rules."),
        Column("tokens", pa.int64(), "Number of tokens."),
    ),
    key=("content_hash", "tokenizer_hash"),
)
