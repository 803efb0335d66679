"""How many items of a benchmark a checkpoint, or one that it went on from, was trained on."""

import pyarrow as pa

from assets.contenders import Contenders
from assets.heldout_loss import lineage
from winnow.curation.decontaminate import DecontaminateConfig, DecontaminateStage
from winnow.lake.checkpoint_rows import find_checkpoint, trained_rows


def trained_items(models: Contenders, name: str, benchmark: str) -> int:
    """Different items of `benchmark` that the rows of a part and its ancestors cover; 0 for the base.

    Of the base nobody knows the rows. Decided as the layer `decontaminated` does, on the rows that were trained
    and whatever benchmarks that layer was built with.
    """
    stage = DecontaminateStage(DecontaminateConfig(benchmarks=(benchmark,)))
    found: set[str] = set()
    for checkpoint_id in lineage(models.lake, models.config.line, models.checkpoint_id(name)):
        for batch in trained_rows(models.lake, find_checkpoint(models.lake, checkpoint_id)):
            output = stage.run(_with_answers(batch))
            verdicts = zip(
                *(output.verdicts.column(c).to_pylist() for c in ("decision", "matched_id")), strict=True
            )
            found |= {str(item) for decision, item in verdicts if decision == "drop"}
    return len(found)


def _with_answers(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Rows as the stage takes them; of a pair, its prompt and both answers."""
    rows = []
    for number, row in enumerate(batch.to_pylist()):
        answers = [row[name] for name in ("chosen", "rejected") if row[name]]
        said = [{"role": "assistant", "content": text} for text in answers]
        rows.append({**row, "row_id": str(number), "messages": [*(row["messages"] or []), *said]})
    fields = [field for field in batch.schema if field.name not in ("chosen", "rejected")]
    return pa.RecordBatch.from_pylist(rows, schema=pa.schema(fields))
