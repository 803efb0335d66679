"""Rows of a release as a file that a child process reads."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schemas.preference import PREFERENCE_PAIRS
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.lake.contracts import contract_of
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.release import scan_release

_All = Callable[[pa.RecordBatch], pa.RecordBatch]


def export_rows(
    lake: Lake, release: Release, table: str, path: Path, chosen: _All = lambda batch: batch
) -> None:
    """Writes exactly the rows of a table that a release pins and `chosen` leaves, its files checked by SHA-256."""
    partial = path.with_suffix(".partial")
    with pq.ParquetWriter(partial, contract_of(table).arrow_schema(), compression="zstd") as writer:
        for batch in scan_release(lake, release, table, verify=True):
            writer.write_batch(chosen(batch))
    partial.replace(path)


def export_pairs(
    lake: Lake, release: Release, split: str, path: Path, most: int | None = None, seed: int = 0
) -> None:
    """Writes the preference pairs of a release on one side of its split, all or `most` of them.

    Distributions take turns, each with its lowest pair by the hash of seed and id, so that few pairs still are of
    many distributions. Raises DataError where the release was made without pairs.
    """
    if not has_pairs(release):
        raise DataError(
            f"release {release.name} holds no preference pairs: materialize assets `preference_pairs` and `release`"
        )
    taken = None if most is None else _in_turns(lake, release, split, most, seed)

    def chosen(batch: pa.RecordBatch) -> pa.RecordBatch:
        kept = pc.equal(batch.column("split"), split)
        if taken is not None:
            kept = pc.and_(kept, pc.is_in(batch.column("row_id"), pa.array(taken, pa.string())))
        return batch.filter(kept)

    export_rows(lake, release, PREFERENCE_PAIRS.table, path, chosen)


def _in_turns(lake: Lake, release: Release, split: str, most: int, seed: int) -> list[str]:
    names = ["row_id", "distribution", "split"]
    by_distribution: dict[str, list[str]] = {}
    for batch in scan_release(lake, release, PREFERENCE_PAIRS.table, names):
        for row in batch.to_pylist():
            if row["split"] == split:
                by_distribution.setdefault(row["distribution"], []).append(row["row_id"])
    turns = [
        (number, digest([seed, row_id]), row_id)
        for ids in by_distribution.values()
        for number, row_id in enumerate(sorted(ids, key=lambda row_id: digest([seed, row_id])))
    ]
    return [row_id for _, _, row_id in sorted(turns)[:most]]


def has_pairs(release: Release) -> bool:
    """Whether the release pins preference pairs."""
    return PREFERENCE_PAIRS.table in release.tables


def pair_groups(lake: Lake, release: Release, split: str) -> set[str]:
    """The distributions that a release has preference pairs of, on one side of its split."""
    found: set[str] = set()
    for batch in scan_release(lake, release, PREFERENCE_PAIRS.table, ["split", "distribution"]):
        found |= {row["distribution"] for row in batch.to_pylist() if row["split"] == split}
    return found
