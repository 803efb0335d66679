"""The one row form from `conversations` on, and the layers that hold it."""

import pyarrow as pa

from schemas.contract import Column, Contract, Zone

TOOL_CALL = pa.struct(
    [
        pa.field("id", pa.string()),
        pa.field("name", pa.string()),
        pa.field("arguments", pa.string()),
    ]
)
MESSAGE = pa.struct(
    [
        pa.field("role", pa.string()),
        pa.field("content", pa.string()),
        pa.field("reasoning", pa.string()),
        pa.field("tool_calls", pa.list_(TOOL_CALL)),
        pa.field("tool_call_id", pa.string()),
        pa.field("name", pa.string()),
    ]
)
KINDS = ("code", "sft", "tool", "agent", "preference", "trace")
ROLES = ("system", "user", "assistant", "tool")

ROW_COLUMNS = (
    Column(
        "row_id", pa.string(), "Hash of source id, the record's own key and its occurrence; 32 hex digits."
    ),
    Column("parent_row_id", pa.string(), "The row that this one was split from.", nullable=True),
    Column("source", pa.string(), "Immutable id of the source."),
    Column("source_revision", pa.string(), "Revision under which the row was read.", operational=True),
    Column("kind", pa.string(), "One of code, sft, tool, agent, preference, trace."),
    Column("messages", pa.list_(MESSAGE), "The conversation; tool call arguments are JSON text."),
    Column("tools", pa.string(), "JSON text of the tool schemas offered.", nullable=True),
    Column("language", pa.string(), "Programming language of a code row.", nullable=True),
    Column("license", pa.string(), "Licence as the source states it.", nullable=True),
    Column("content_hash", pa.string(), "SHA-256 of messages and tools; 64 hex digits."),
    Column("meta", pa.string(), "JSON text of what else the source says, keys sorted.", nullable=True),
)
INVARIANTS = {
    "kind is known": f"kind IN {KINDS}",
    "row_id is 32 hex digits": "regexp_full_match(row_id, '[0-9a-f]{32}')",
    "content_hash is 64 hex digits": "regexp_full_match(content_hash, '[0-9a-f]{64}')",
    "a row has a message": "len(messages) > 0",
}
OVERRIDABLE = frozenset({"kind is known", "a row has a message"})
"""What says something about a row's use; the others are names by which the lake itself finds a row."""


def _layer(table: str, zone: Zone, description: str) -> Contract:
    return Contract(
        table=table,
        zone=zone,
        description=description,
        columns=ROW_COLUMNS,
        key=("row_id",),
        invariants=INVARIANTS,
        overridable=OVERRIDABLE,
    )


CONVERSATIONS = _layer("conversations", "restricted", "Every record as a conversation, not yet sanitized.")
SANITIZED = _layer("sanitized", "open", "Conversations with private and secret spans replaced.")
DEDUPED = _layer("deduped", "open", "Sanitized rows without exact and verified near duplicates.")
DECONTAMINATED = _layer("decontaminated", "open", "Deduplicated rows that hold no benchmark item.")
CURATED = _layer("curated", "open", "Rows that passed every curation stage.")
SFT_TRAIN = _layer("sft_train", "open", "Curated rows chosen for supervised fine-tuning.")
SFT_HELDOUT = _layer(
    "sft_heldout",
    "open",
    "Rows held out by distribution, for evaluation; no trained row is near one of them.",
)
