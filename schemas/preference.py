"""Pairs of a right and a wrong answer to one prompt."""

import pyarrow as pa

from schemas.contract import Column, Contract
from schemas.rows import MESSAGE

SPLITS = ("train", "heldout")

PREFERENCE_PAIRS = Contract(
    table="preference_pairs",
    zone="open",
    description="Functions that pass their doctests, each beside a copy with one fault that fails them.",
    columns=(
        Column(
            "row_id",
            pa.string(),
            "Hash of the row that the pair was made of and of its fault; 32 hex digits.",
        ),
        Column("parent_row_id", pa.string(), "The curated row that the pair was made of."),
        Column("source", pa.string(), "Immutable id of the source."),
        Column("source_revision", pa.string(), "Revision under which the row was read.", operational=True),
        Column("kind", pa.string(), "Always `preference`."),
        Column("split", pa.string(), "train or heldout; one distribution is wholly in one of them."),
        Column("distribution", pa.string(), "Distribution that the function came from."),
        Column("messages", pa.list_(MESSAGE), "The prompt: the conversation up to the answer."),
        Column("chosen", pa.string(), "The answer of the row; its function passes in every run."),
        Column("rejected", pa.string(), "The same answer with one fault; its function fails in every run."),
        Column("mutation", pa.string(), "Operator that put the fault in."),
        Column("evidence", pa.string(), "JSON text of the runs that prove the pair, keys sorted; no output."),
        Column("language", pa.string(), "Programming language of the answers.", nullable=True),
        Column("license", pa.string(), "Licence as the source states it.", nullable=True),
        Column("content_hash", pa.string(), "SHA-256 of prompt, chosen and rejected; 64 hex digits."),
        Column("meta", pa.string(), "JSON text of what else the source says, keys sorted.", nullable=True),
    ),
    key=("row_id",),
    invariants={
        "kind is preference": "kind = 'preference'",
        "split is known": f"split IN {SPLITS}",
        "row_id is 32 hex digits": "regexp_full_match(row_id, '[0-9a-f]{32}')",
        "content_hash is 64 hex digits": "regexp_full_match(content_hash, '[0-9a-f]{64}')",
        "a prompt has a message": "len(messages) > 0",
        "chosen and rejected differ": "chosen <> rejected AND chosen <> '' AND rejected <> ''",
    },
)
