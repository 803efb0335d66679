"""Deduplication within one file: rows are judged together, and told in input order."""

import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from winnow.core.runner import Judged, run_stage
from winnow.curation.dedup import DedupConfig, judge_duplicates
from winnow.curation.trial.outcome import Outcome, outcome_of, output_of
from winnow.curation.trial.rows import TrialRow, batches
from winnow.curation.trial.stage import TrialStage


def try_duplicates(
    config: DedupConfig, rows: Iterable[TrialRow], workers: int | None = None
) -> Iterator[Outcome]:
    """The outcome of each row in input order, which is the keep order; `matched_id` is the id of the kept row.

    Nothing comes before the last row was read. Rows spill to a private folder in WINNOW_SPILL or the system's
    temporary directory. Memory: about 120 bytes a row.
    """
    with (
        tempfile.TemporaryDirectory(prefix="winnow-try-", dir=os.environ.get("WINNOW_SPILL")) as folder,
        (Path(folder) / "ids").open("w+b") as ids,
    ):
        names = _Names(ids)
        spilled = Path(folder) / "rows.arrow"
        coming = _spilling(run_stage(TrialStage(), batches(rows), workers), spilled, names)
        judged = judge_duplicates(coming, config, Path(folder) / "dedup", workers)
        verdicts = (verdict for _, parts in judged for batch in parts for verdict in batch.to_pylist())
        yield from _told(spilled, names, verdicts)


class _Names:
    """The ids of all rows by number, as JSON text: in a file, with eight bytes a row in memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._ends = array("Q", [0])

    def add(self, name: str) -> None:
        self._ends.append(self._ends[-1] + self._file.write(name.encode()))

    def get(self, number: int) -> str:
        self._file.flush()
        start, end = self._ends[number], self._ends[number + 1]
        return os.pread(self._file.fileno(), end - start, start).decode()


def _spilling(judged: Iterable[Judged], path: Path, names: _Names) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Hands on the normalized rows and writes every row, parked ones too, for the second pass."""
    writer: pa.RecordBatchStreamWriter | None = None
    for item in judged:
        for name in item.batch["id"].to_pylist():
            names.add(str(name))
        batch = _whole(item)
        writer = writer or pa.ipc.new_stream(str(path), batch.schema)
        writer.write_batch(batch)
        yield "", item.output.kept
    if writer is not None:
        writer.close()


def _whole(item: Judged) -> pa.RecordBatch:
    """Every input row with its normalized content, or with its park rule."""
    said = item.output.verdicts.filter(pc.equal(item.output.verdicts["decision"], pa.scalar("park")))
    kept, ids = item.output.kept, item.batch["row_id"]
    at = pc.index_in(ids, value_set=kept["row_id"])
    rule = said["rule"].take(pc.index_in(ids, value_set=said["row_id"]))
    columns: dict[str, Any] = {
        "row_id": ids,
        "id": item.batch["id"],
        "form": item.batch["form"],
        "rule": rule,
        "messages": kept["messages"].take(at),
        "tools": kept["tools"].take(at),
    }
    return pa.RecordBatch.from_pydict(columns)


def _told(path: Path, names: _Names, verdicts: Iterator[dict[str, Any]]) -> Iterator[Outcome]:
    verdict = next(verdicts, None)  # the first one reads and judges all rows
    if not path.exists():
        return
    with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as reader:
        for batch in reader:
            for row in batch.to_pylist():
                if row["rule"] is not None:
                    yield Outcome(row["id"], "park", row["rule"], (row["rule"],))
                elif verdict is not None and verdict["row_id"] == row["row_id"]:
                    told = outcome_of(row["id"], {**verdict, "matched_id": None}, None)
                    yield _matched(told, names.get(int(verdict["matched_id"], 16)))
                    verdict = next(verdicts, None)
                else:
                    yield Outcome(row["id"], output=output_of(row, row["form"]))


def _matched(told: Outcome, name: str) -> Outcome:
    return Outcome(told.id, told.decision, told.rule, told.rules, told.score, name, told.spans, told.output)
