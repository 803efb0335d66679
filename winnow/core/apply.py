"""Applying verdicts that were decided elsewhere, batch by batch, both streams in the same order."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from winnow.core.errors import DataError
from winnow.core.runner import Judged
from winnow.core.stage import VERDICT_SCHEMA, StageOutput


def apply_verdicts(batches: Iterable[pa.RecordBatch], verdicts: Iterable[pa.RecordBatch]) -> Iterator[Judged]:
    """Each batch without the rows that a verdict drops or parks. Memory: one batch of either stream.

    Raises DataError when a verdict names a row that does not come, in the order of the rows.
    """
    coming = (row for batch in verdicts for row in batch.to_pylist())
    verdict = next(coming, None)
    for batch in batches:
        ids = batch["row_id"].to_pylist()
        keep: list[int] = []
        said = []
        for index, row_id in enumerate(ids):
            if verdict is not None and verdict["row_id"] == row_id:
                said.append(verdict)
                if verdict["decision"] not in ("drop", "park"):
                    keep.append(index)
                verdict = next(coming, None)
            else:
                keep.append(index)
        kept = batch if len(keep) == batch.num_rows else batch.take(pa.array(keep, pa.int64()))
        judged = pa.RecordBatch.from_pylist(said, schema=VERDICT_SCHEMA)
        yield Judged(batch, StageOutput(batch.num_rows, kept, judged))
    if verdict is not None:
        raise DataError(
            f"a verdict names row {verdict['row_id']}, which does not come in the order of its source; "
            "materialize `dedup_verdicts` again"
        )
