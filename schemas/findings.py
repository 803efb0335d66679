"""Where private and secret values stood, without the values."""

import pyarrow as pa

from schemas.contract import Column, Contract

FINDINGS = Contract(
    table="findings",
    zone="open",
    description="What the sanitizer found, a value a row; the value itself is nowhere outside the restricted zone.",
    columns=(
        Column("row_id", pa.string(), "The row, as it was before it was sanitized."),
        Column("source", pa.string(), "Immutable id of the source."),
        Column("category", pa.string(), "What was found; names the policy and the placeholder."),
        Column("detector", pa.string(), "The pattern or model that found it."),
        Column("confidence", pa.float64(), "Share of such hits that are expected to be right, 0 to 1."),
        Column("path", pa.string(), "JSON Pointer into the row."),
        Column("start", pa.int64(), "First code point."),
        Column("end", pa.int64(), "Code point after the last."),
        Column("occurrence", pa.int64(), "Number among the values of one detector at this place, from 0."),
        Column(
            "fingerprint",
            pa.string(),
            "Keyed hash of category and value: equal where the same secret stands, in this lake.",
            nullable=True,
            operational=True,
        ),
        Column("action", pa.string(), "drop, redact, pseudonymize or flag."),
    ),
    key=("row_id", "path", "start", "end", "category", "detector", "occurrence"),
    invariants={
        "span is not empty": '"start" >= 0 AND "end" > "start"',
        "confidence is a share": "confidence BETWEEN 0 AND 1",
        "action is known": "action IN ('drop', 'redact', 'pseudonymize', 'flag')",
    },
)
