"""What persons said of the hits of the detectors: right or wrong. No text of a row."""

import pyarrow as pa

from schemas.contract import Column, Contract

ANSWERS = ("right", "wrong", "unsure")

JUDGEMENTS = Contract(
    table="judgements",
    zone="open",
    description="Judgements of persons on single findings of the sanitize stage, from which precision is estimated.",
    columns=(
        Column("source", pa.string(), "Immutable id of the source."),
        Column("row_id", pa.string(), "The row in which it was found."),
        Column(
            "content_hash",
            pa.string(),
            "Keyed hash of the row's content before it was sanitized; 64 hex digits. A plain one would be a "
            "dictionary away from a short secret.",
        ),
        Column("decision", pa.string(), "What became of the row: drop, redact or keep (flagged)."),
        Column("category", pa.string(), "Category of the finding."),
        Column("detector", pa.string(), "Detector that made it."),
        Column("path", pa.string(), "JSON Pointer into the row before it was sanitized."),
        Column("start", pa.int64(), "First code point."),
        Column("end", pa.int64(), "Code point after the last one."),
        Column("judged", pa.string(), "right: it is what the category says; wrong: it is not; or unsure."),
        Column("note", pa.string(), "What the person added; may not quote the text.", nullable=True),
        Column("who", pa.string(), "The user who judged."),
        Column("judged_at", pa.timestamp("us", tz="UTC"), "When.", operational=True),
    ),
    key=("row_id", "content_hash", "category", "detector", "path", "start", "end", "who"),
    invariants={
        "the answer is known": f"judged IN {ANSWERS}",
        "a finding has a length": '"end" > "start" AND "start" >= 0',
        "content_hash is 64 hex digits": "regexp_full_match(content_hash, '[0-9a-f]{64}')",
    },
)
