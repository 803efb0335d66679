"""A small lake with a release, two checkpoints trained on it, and what a gate decided about them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
from small_lake import grown

from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.records import replace_rows
from winnow.lake.registry import Contender
from winnow.lake.release import build_release, scan_release

FIRST, SECOND = "c0ffee01" * 4, "c0ffee02" * 4


def trained(root: Path) -> tuple[Lake, Release]:
    """Both checkpoints saw the train set backwards, twice."""
    lake = grown(root)
    release = build_release(lake)
    order = [row for b in scan_release(lake, release, "sft_train") for row in b.to_pylist()][::-1] * 2
    for checkpoint in (FIRST, SECOND):
        add_checkpoint(lake, release, checkpoint, order)
    return lake, release


def add_checkpoint(lake: Lake, release: Release, checkpoint: str, order: list[dict[str, Any]]) -> None:
    rows = [
        {
            "checkpoint_id": checkpoint,
            "model": "sft",
            "position": position,
            "row_id": row["row_id"],
            "source_of_row": row["source"],
            "content_hash": row["content_hash"],
        }
        for position, row in enumerate(order)
    ]
    record = {
        "checkpoint_id": checkpoint,
        "model": "sft",
        "method": "sft",
        "parent_checkpoint_id": None,
        "release": release.name,
        "release_hash": release.content_hash,
        "base_hash": "b",
        "config": "{}",
        "code_version": "1",
        "row_order_hash": "o",
        "rows": len({row["row_id"] for row in order}),
        "tokens": 100,
        "steps": 2,
        "final_loss": 1.25,
        "files": "[]",
        "wall_seconds": 1.0,
        "created_at": datetime.now(UTC),
    }
    for contract, records in ((CHECKPOINT_ROWS, rows), (CHECKPOINTS, [record])):
        replace_rows(lake, contract, "sft", pa.Table.from_pylist(records, contract.arrow_schema()))


def contender(release: Release, checkpoint: str) -> Contender:
    return Contender(checkpoint, release.name)


def decision(checkpoint: str, reference: str, verdict: str) -> Mapping[str, Any]:
    """As the gate writes it down."""
    return {
        "candidate": checkpoint,
        "reference": reference,
        "verdict": verdict,
        "reason": f"planted: {verdict}",
        "d": -0.02,
        "low": -0.03,
        "high": -0.01,
        "n": 12,
    }
