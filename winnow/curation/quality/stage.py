"""The quality stage: rows whose Python does not parse are dropped."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
from pydantic import Field

from winnow.core.config import ConfigModel
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.curation.quality.fences import python_blocks
from winnow.curation.quality.python_syntax import TOO_LARGE, Fault, python_fault

_PYTHON_NAMES = frozenset({"python", "python3", "py"})


class QualityConfig(ConfigModel):
    """Limits of the syntax check."""

    max_bytes: int = Field(
        default=1_000_000, gt=0, description="Larger Python texts are parked, not parsed; UTF-8 bytes."
    )
    fences: bool = Field(default=True, description="Whether Python blocks in assistant messages are checked.")


class QualityStage:
    """Drops a row whose Python does not parse, and parks one whose Python is too large to be parsed.

    Checked is the text of a code row in Python, and each fenced Python block in an assistant message of any
    other row. One broken block drops the row; spans show the line of each fault.
    """

    name = "quality"
    code_version = "2"

    def __init__(self, config: QualityConfig | None = None) -> None:
        self.config = config or QualityConfig()

    def identity(self) -> Mapping[str, Any]:
        return self.config.model_dump()

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        verdicts = []
        keep = [True] * batch.num_rows
        columns = batch.select(["row_id", "source", "kind", "language", "messages"])
        for index, row in enumerate(columns.to_pylist()):
            faults = list(self._faults(row))
            if faults:
                verdicts.append(_verdict(row, faults))
                keep[index] = False
        kept = batch if all(keep) else batch.filter(pa.array(keep))
        return StageOutput(batch.num_rows, kept, verdict_batch(verdicts))

    def _faults(self, row: Mapping[str, Any]) -> Iterator[tuple[str, Fault]]:
        """Faults with the path of their string, their spans in that string."""
        is_file = row["kind"] == "code"
        if is_file and (row["language"] or "").lower() not in _PYTHON_NAMES:
            return
        if not is_file and not self.config.fences:
            return
        for number, message in enumerate(row["messages"]):
            content = message["content"]
            if not content or (not is_file and message["role"] != "assistant"):
                continue
            for start, end in [(0, len(content))] if is_file else python_blocks(content):
                if fault := python_fault(content[start:end], self.config.max_bytes):
                    moved = Fault(fault.rule, start + fault.start, start + fault.end)
                    yield f"/messages/{number}/content", moved


def _verdict(row: Mapping[str, Any], faults: list[tuple[str, Fault]]) -> Verdict:
    """A fault drops before a size parks; among drops the first in the row decides."""
    broken = [fault.rule for _, fault in faults if fault.rule != TOO_LARGE]
    return Verdict(
        row["row_id"],
        row["source"],
        "drop" if broken else "park",
        broken[0] if broken else TOO_LARGE,
        rules=tuple(fault.rule for _, fault in faults),
        spans=tuple(Span("syntax", fault.rule, path, fault.start, fault.end) for path, fault in faults),
    )
