"""Duplicates among a few texts in memory, by the same code as a whole lake."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.rows import MESSAGE
from winnow.core.stage import Verdict
from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.verdicts import judge_duplicates

_SCHEMA = pa.schema([("row_id", pa.string()), ("messages", pa.list_(MESSAGE)), ("tools", pa.string())])
_BATCH_ROWS = 512


def judge_rows(
    rows: Sequence[tuple[str, str | Sequence[dict[str, Any]]]],
    config: DedupConfig | None = None,
    workers: int = 1,
    batch_rows: int = _BATCH_ROWS,
) -> list[Verdict | None]:
    """For each (id, text or messages), in keep order, the verdict if it is a duplicate.

    A text is judged as one assistant message. Ids are free strings and come back in `matched_id`; the source
    of the verdicts is empty.

    >>> [v and (v.rule, v.matched_id) for v in judge_rows([("a", "x y"), ("b", "x y"), ("c", "x z")])]
    [None, ('exact-duplicate', 'a'), None]
    """
    batches = (("", _batch(rows[at : at + batch_rows], at)) for at in range(0, len(rows), batch_rows))
    verdicts: list[Verdict | None] = [None] * len(rows)
    with tempfile.TemporaryDirectory(prefix="winnow-dedup-") as folder:
        judged = judge_duplicates(batches, config or DedupConfig(), Path(folder), workers)
        found = [v for _, parts in judged for batch in parts for v in batch.to_pylist()]
    for verdict in found:
        index, matched = int(verdict["row_id"], 16), int(verdict["matched_id"], 16)
        verdicts[index] = Verdict(
            rows[index][0], "", "drop", verdict["rule"], score=verdict["score"], matched_id=rows[matched][0]
        )
    return verdicts


def _batch(rows: Iterable[tuple[str, str | Sequence[dict[str, Any]]]], at: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [
            {
                "row_id": f"{number:032x}",
                "messages": [{"role": "assistant", "content": body}] if isinstance(body, str) else list(body),
                "tools": None,
            }
            for number, (_, body) in enumerate(rows, at)
        ],
        schema=_SCHEMA,
    )
