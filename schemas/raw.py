"""Records as they were read, byte for byte."""

import pyarrow as pa

from schemas.contract import Column, Contract

RAW = Contract(
    table="raw",
    zone="restricted",
    description="Every record of a source, byte for byte, before anything is made of it.",
    columns=(
        Column(
            "row_id",
            pa.string(),
            "Hash of source id, the record's own key and its occurrence; 32 hex digits.",
        ),
        Column("source", pa.string(), "Immutable id of the source."),
        Column("source_revision", pa.string(), "Revision under which the record was read.", operational=True),
        Column("key", pa.string(), "The record's own key or path; null when it has none.", nullable=True),
        Column("occurrence", pa.int32(), "0 for the first record of a key, 1 for the next."),
        Column("ordinal", pa.int64(), "Position in the source, for messages only.", operational=True),
        Column("payload_kind", pa.string(), "`json`: a JSON value; `text`: the bytes of a file."),
        Column("payload", pa.binary(), "The record's bytes."),
        Column("content_hash", pa.string(), "SHA-256 of the payload; 64 hex digits."),
        Column("license", pa.string(), "Licence as the source states it.", nullable=True),
        Column("meta", pa.string(), "JSON text of what else the source says, keys sorted.", nullable=True),
    ),
    key=("row_id",),
    invariants={
        "payload_kind is known": "payload_kind IN ('json', 'text')",
        "row_id is 32 hex digits": "regexp_full_match(row_id, '[0-9a-f]{32}')",
    },
)
