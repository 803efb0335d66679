"""A small lake whose first curated row has a preference pair, released, and a checkpoint of DPO trained on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from small_lake import CODE, batch, grown
from trained_lake import FIRST, add_checkpoint

from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from schemas.preference import PREFERENCE_PAIRS
from winnow.core.identity import conversation_hash, digest, stage_version
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.publish import publish
from winnow.lake.records import records, replace_rows
from winnow.lake.release import build_release, scan_release

ALIGNED = "d" * 32
LINE = "sft"


@dataclass(frozen=True)
class Paired:
    """The lake, its release with pairs, the pair, and the curated row that it was made of."""

    lake: Lake
    release: Release
    pair: dict[str, Any]
    parent: str


def pair_of(
    row: dict[str, Any], split: str = "train", distribution: str = "some", number: int = 0
) -> dict[str, Any]:
    """A pair whose prompt is the row's conversation."""
    chosen, rejected = "the right answer", f"the wrong answer {number} of {distribution}"
    said = [{"role": "assistant", "content": text} for text in (chosen, rejected)]
    made = {
        name: row[name] for name in ("source", "source_revision", "messages", "language", "license", "meta")
    }
    return made | {
        "row_id": digest([row["row_id"], rejected]),
        "parent_row_id": row["row_id"],
        "kind": "preference",
        "split": split,
        "distribution": distribution,
        "chosen": chosen,
        "rejected": rejected,
        "mutation": "operator",
        "evidence": "{}",
        "content_hash": conversation_hash([*row["messages"], *said], None),
    }


def paired(root: Path, heldout: Mapping[str, int] | None = None) -> Paired:
    """SFT saw the train set once, DPO the pair twice. `heldout`: further pairs of its row, by distribution."""
    lake = grown(root)
    head = lake.head("curated")
    for source, state in head.partitions.items():
        rows = [row for b in lake.scan("curated", [source]) for row in b.to_pylist()]
        pairs = [pair_of(rows[0])] if source == "alpha" else []
        left = [Verdict(r["row_id"], source, "drop", "no-doctest") for r in rows[len(pairs) :]]
        for name, count in (heldout or {}).items() if pairs else ():
            pairs += [pair_of(rows[0], "heldout", name, number) for number in range(1, count + 1)]
        inputs = {f"curated/{source}": state.data_version}
        version = stage_version("preference", CODE, {}, inputs)
        made = Candidate(lake, PREFERENCE_PAIRS, source, "preference", version, CODE, inputs, fan_out=True)
        with made:
            made.write(StageOutput(len(rows), batch(PREFERENCE_PAIRS, pairs), verdict_batch(left)))
        publish(lake, made)
    release = build_release(lake, tables=["sft_train", "preference_pairs"])
    add_checkpoint(
        lake, release, FIRST, [r for b in scan_release(lake, release, "sft_train") for r in b.to_pylist()]
    )
    made_pairs = [row for b in scan_release(lake, release, "preference_pairs") for row in b.to_pylist()]
    (pair,) = [row for row in made_pairs if row["split"] == "train"]
    add_dpo_checkpoint(lake, [pair, pair])
    return Paired(lake, release, pair, pair["parent_row_id"])


def add_dpo_checkpoint(lake: Lake, pairs: list[dict[str, Any]], name: str = ALIGNED) -> None:
    """Records a checkpoint that went on from the first by these pairs."""
    (start,) = [row for row in records(lake, CHECKPOINTS, LINE) if row["checkpoint_id"] == FIRST]
    rows = [
        {
            "checkpoint_id": name,
            "model": LINE,
            "position": position,
            "row_id": pair["row_id"],
            "source_of_row": pair["source"],
            "content_hash": pair["content_hash"],
        }
        for position, pair in enumerate(pairs)
    ]
    row = {**start, "checkpoint_id": name, "method": "dpo", "parent_checkpoint_id": FIRST}
    for contract, made in ((CHECKPOINT_ROWS, rows), (CHECKPOINTS, [row])):
        replace_rows(lake, contract, LINE, pa.Table.from_pylist(made, contract.arrow_schema()))
