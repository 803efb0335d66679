"""A row of a trial: a record as it was read, what it is called, and whether it can be judged at all."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa

Form = Literal["text", "messages"]
MISSING_ID, INVALID_ID, DUPLICATE_ID = "missing-id", "invalid-id", "duplicate-id"
TOO_LARGE = "record-too-large"
MAX_RECORD = 8 << 20
"""Bytes of a record that is judged; as in a source, a longer one is parked and never held in memory."""
_BATCH_ROWS = 256
_BATCH_BYTES = 2 << 20
_FIELDS: list[tuple[str, Any]] = [
    ("row_id", pa.string()),
    ("source", pa.string()),
    ("source_revision", pa.string()),
    ("license", pa.string()),
    ("meta", pa.string()),
    ("key", pa.string()),
    ("payload_kind", pa.string()),
    ("payload", pa.binary()),
    ("id", pa.string()),
    ("form", pa.string()),
    ("park", pa.string()),
]
TRIAL_ROW = pa.schema(_FIELDS)
"""The columns that `normalize` reads, then the id as JSON text, the form of the row, and why it is parked."""


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One record. `id` is JSON text; `park` is the rule under which it cannot be judged; `path` is a file's."""

    id: str
    payload: bytes | None
    form: Form = "text"
    kind: Literal["json", "text"] = "json"
    path: str | None = None
    park: str | None = None


def batches(rows: Iterable[TrialRow]) -> Iterator[pa.RecordBatch]:
    """The rows as batches of TRIAL_ROW, a few megabytes each; `row_id` is the number of the row in hex."""
    pending: list[dict[str, Any]] = []
    size = 0
    for number, row in enumerate(rows):
        pending.append(_columns(number, row))
        size += len(row.payload or b"")
        if len(pending) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield pa.RecordBatch.from_pylist(pending, schema=TRIAL_ROW)
            pending, size = [], 0
    if pending:
        yield pa.RecordBatch.from_pylist(pending, schema=TRIAL_ROW)


def _columns(number: int, row: TrialRow) -> dict[str, Any]:
    return {
        "row_id": f"{number:032x}",
        "source": "",
        "source_revision": "",
        "key": row.path,
        "payload_kind": row.kind,
        "payload": row.payload,
        "id": row.id,
        "form": row.form,
        "park": row.park,
    }
