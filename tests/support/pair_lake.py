"""A lake of documented functions of installed packages up to `curated`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from small_lake import grow, lake_in

from winnow.core.identity import conversation_hash, row_id
from winnow.curation.sources import docstring_functions
from winnow.curation.sources.config import Source
from winnow.curation.sources.records import ReadSettings
from winnow.lake.lake import Lake

Rows = dict[str, list[dict[str, Any]]]


def documented_rows(source: str, distributions: Sequence[str], per_distribution: int) -> list[dict[str, Any]]:
    """The first documented functions of each distribution that have a doctest, and a few that have none."""
    rows = []
    for name in distributions:
        entry = Source(id=source, kind="docstring_functions", location=(name,))
        found = [_row(source, record) for record in docstring_functions.records(entry, ReadSettings())]
        shown = [row for row in found if ">>>" in row["messages"][-1]["content"]]
        rows += [*shown[:per_distribution], *(row for row in found if row not in shown[:per_distribution])][
            : per_distribution + 3
        ]
    return rows


def _row(source: str, record: docstring_functions.Record) -> dict[str, Any]:
    messages = [{**m, "tool_calls": []} for m in json.loads(record.payload)["messages"]]
    content = conversation_hash(messages, None)
    return {
        "row_id": row_id(source, record.key, content, 0),
        "parent_row_id": None,
        "source": source,
        "source_revision": "r1",
        "kind": "sft",
        "messages": messages,
        "tools": None,
        "language": "python",
        "license": record.license,
        "content_hash": content,
        "meta": record.meta,
    }


def curated_lake(root: Path, rows: Mapping[str, Sequence[dict[str, Any]]], patch: pytest.MonkeyPatch) -> Lake:
    """A lake in `root` with these rows in `curated`, declared as sources in the environment."""
    lake = lake_in(root)
    grow(lake, rows, until="quality")
    entries = "".join(f"  - {{id: {name}, kind: jsonl, location: none.jsonl}}\n" for name in rows)
    (root / "sources.yaml").write_text(f"sources:\n{entries}")
    patch.setenv("WINNOW_SOURCES", str(root / "sources.yaml"))
    patch.setenv("LAKE_ROOT", str(root / "lake"))
    patch.setenv("LAKE_RAW_ROOT", str(root / "lake_raw"))
    return lake


def pairs_of(lake: Lake) -> list[dict[str, Any]]:
    return [row for batch in lake.scan("preference_pairs") for row in batch.to_pylist()]
