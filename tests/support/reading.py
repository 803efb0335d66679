"""Sources made of a few bytes, and all that reading and normalizing them gave."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from schemas.raw import RAW
from schemas.rows import CONVERSATIONS
from winnow.core.stage import StageOutput
from winnow.curation.normalize import Normalize
from winnow.curation.sources import ReadSettings, Source, read

CASES = Path(os.environ.get("WINNOW_CASES") or Path(__file__).parents[3] / "shared" / "cases")


def cases(name: str) -> Path:
    """A file or folder of the labelled cases; the test is skipped where they are not at hand."""
    path = CASES / name
    if not path.exists():
        pytest.skip(f"no labelled cases here: {name} (set WINNOW_CASES)")
    return path


@dataclass
class Result:
    """Rows and verdicts of all batches, in order."""

    rows_in: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)

    @property
    def rules(self) -> Counter[tuple[str, str]]:
        return Counter((v["decision"], v["rule"]) for v in self.verdicts)

    @property
    def ids(self) -> list[str]:
        return [row["row_id"] for row in self.rows]

    def column(self, name: str) -> list[Any]:
        return [row[name] for row in self.rows]


def collect(outputs: Iterable[StageOutput], contract: Any = RAW) -> Result:
    """All of a stage's output; a batch that breaks the contract or does not reconcile fails here."""
    result = Result()
    for output in outputs:
        assert output.kept.schema.equals(contract.arrow_schema())
        output.kept.validate(full=True)
        gone = sum(d in ("drop", "park") for d in output.verdicts.column("decision").to_pylist())
        assert output.rows_in == output.kept.num_rows + gone
        result.rows_in += output.rows_in
        result.rows += output.kept.to_pylist()
        result.verdicts += output.verdicts.to_pylist()
        result.batches.append(output.rows_in)
    return result


def source(kind: str, *location: str | Path, **more: Any) -> Source:
    """An entry as sources.yaml would give it."""
    entry = {"id": "some-source", "kind": kind, "location": tuple(map(str, location)), **more}
    return Source.model_validate(entry)


def ingest(entry: Source, **settings: Any) -> Result:
    return collect(read(entry, ReadSettings(**settings)))


def normalize(entry: Source, **settings: Any) -> Result:
    """What normalize makes of the raw rows of a source."""
    stage = Normalize(entry.fields)
    outputs = (stage.run(output.kept) for output in read(entry, ReadSettings(**settings)))
    return collect(outputs, CONVERSATIONS)
