"""A lake of documented functions of installed packages up to `curated`, and pairs of it run again."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from small_lake import grow, lake_in

from winnow.core.identity import conversation_hash, row_id
from winnow.curation.preference import PreferenceConfig, package_folders
from winnow.curation.preference.functions import DocumentedFunction, documented_function
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Run
from winnow.curation.sources import docstring_functions
from winnow.curation.sources.config import Source
from winnow.curation.sources.records import ReadSettings
from winnow.lake.lake import Lake
from winnow.sandbox import Sandbox

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


def run_again(pairs: Iterable[Mapping[str, Any]], config: PreferenceConfig) -> Iterator[tuple[Run, Run]]:
    """Of each pair its chosen and its rejected answer, each read from its own text, in a box of its own."""
    packages = package_folders()
    with Sandbox(read_only=packages) as sandbox:

        def alone(pair: Mapping[str, Any], answer: str) -> Run:
            function = _function_of(pair, answer)
            with Runner(sandbox, config, packages, 0, 1) as runner:
                return runner.ask(function, function.text)

        def both(pair: Mapping[str, Any]) -> tuple[Run, Run]:
            return alone(pair, pair["chosen"]), alone(pair, pair["rejected"])

        with ThreadPoolExecutor(sandbox.slots) as pool:
            yield from pool.map(both, pairs)


def _function_of(pair: Mapping[str, Any], answer: str) -> DocumentedFunction:
    said = {"role": "assistant", "content": answer, "tool_calls": []}
    found = documented_function({**pair, "messages": [*pair["messages"], said]})
    assert isinstance(found, DocumentedFunction)
    return found
