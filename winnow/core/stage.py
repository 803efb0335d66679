"""What a stage is: a pure function over an Arrow batch that returns kept rows and verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa

from schemas.verdicts import VERDICT_COLUMNS

VERDICT_SCHEMA = pa.schema([pa.field(c.name, c.type, nullable=c.nullable) for c in VERDICT_COLUMNS])


@dataclass(frozen=True)
class Span:
    """Where something was found: `path` is a JSON Pointer into the row, `start` and `end` are code points."""

    category: str
    detector: str
    path: str
    start: int
    end: int


@dataclass(frozen=True)
class Verdict:
    """What became of one row. A row without a verdict is a plain keep."""

    row_id: str
    source: str
    decision: str
    rule: str
    rules: tuple[str, ...] = ()
    score: float | None = None
    matched_id: str | None = None
    spans: tuple[Span, ...] = ()
    fingerprint: str | None = None


@dataclass(frozen=True)
class StageOutput:
    """One batch after a stage: the rows that go on, a verdict batch, and side tables by name."""

    rows_in: int
    kept: pa.RecordBatch
    verdicts: pa.RecordBatch
    side: dict[str, pa.RecordBatch] = field(default_factory=dict)


class Stage(Protocol):
    """A pure function over a batch. Picklable; heavy state is built on first use in the worker."""

    @property
    def name(self) -> str: ...

    @property
    def code_version(self) -> str:
        """Declared by hand; moves when the output for the same input could change."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything but code and input that the output depends on: config, hashes of models and rule files."""
        ...

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        """Kept rows in input order, and a verdict for each row that is not a plain keep."""
        ...


def verdict_batch(verdicts: Sequence[Verdict]) -> pa.RecordBatch:
    """Verdicts as Arrow; `rules` always holds the deciding rule and is sorted."""
    rows = [
        {
            "row_id": v.row_id,
            "source": v.source,
            "decision": v.decision,
            "rule": v.rule,
            "rules": sorted({v.rule, *v.rules}),
            "score": v.score,
            "matched_id": v.matched_id,
            "spans": [vars(s) for s in v.spans],
            "fingerprint": v.fingerprint,
        }
        for v in verdicts
    ]
    return pa.RecordBatch.from_pylist(rows, schema=VERDICT_SCHEMA)
