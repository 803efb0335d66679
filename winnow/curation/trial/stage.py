"""A stage as the pipeline would run it on these rows: normalized first, its spans traced back to the input."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from winnow.core.runner import run_stage
from winnow.core.stage import VERDICT_SCHEMA, Stage, StageOutput, Verdict, verdict_batch
from winnow.curation.normalize import Normalize
from winnow.curation.normalize.json_text import parse_json
from winnow.curation.normalize.language import language_of
from winnow.curation.trial.outcome import Outcome, outcomes
from winnow.curation.trial.pointers import record_places, text_places
from winnow.curation.trial.rows import TrialRow, batches

_GONE = ("drop", "park")


@dataclass(frozen=True)
class TrialStage:
    """`normalize` alone, or another stage after it; takes and accounts for batches of TRIAL_ROW.

    What `normalize` flags is told only when it is the stage tried; what it parks, always.
    """

    after: Stage | None = None
    normalize: Normalize = field(default_factory=Normalize)

    @property
    def name(self) -> str:
        return self.after.name if self.after else self.normalize.name

    @property
    def code_version(self) -> str:
        return self.after.code_version if self.after else self.normalize.code_version

    def identity(self) -> Mapping[str, Any]:
        return self.after.identity() if self.after else self.normalize.identity()

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        """Kept rows in the row form, in input order, and verdicts whose spans point into the input."""
        readable = batch.filter(pc.is_null(batch["park"]))
        normal = self.normalize.run(readable)
        kept, verdicts = _with_languages(normal.kept, readable), normal.verdicts.to_pylist()
        if self.after is not None:
            judged = self.after.run(kept)
            parked = [v for v in verdicts if v["decision"] in _GONE]
            kept, verdicts = judged.kept, parked + judged.verdicts.to_pylist()
        rows = {row["row_id"]: row for row in _spanned(batch, verdicts)}
        for verdict in verdicts:
            verdict["spans"] = [
                {**span, "path": path, "start": start, "end": end}
                for span in verdict["spans"]
                for path, start, end in _places(rows[verdict["row_id"]], span)
            ]
        told = [*_unreadable(batch).to_pylist(), *verdicts]
        return StageOutput(batch.num_rows, kept, pa.RecordBatch.from_pylist(told, schema=VERDICT_SCHEMA))


def try_rows(stage: Stage | None, rows: Iterable[TrialRow], workers: int | None = None) -> Iterator[Outcome]:
    """The outcome of each row in input order; `normalize` itself where no stage is given.

    Memory: a few batches a worker. Raises what the stage raises for its configuration, before the first row.
    """
    trial = TrialStage(stage)
    trial.identity()  # builds what the stage needs, so that a fault of configuration comes first
    for judged in run_stage(trial, batches(rows), workers):
        yield from outcomes(judged)


def _with_languages(kept: pa.RecordBatch, rows: pa.RecordBatch) -> pa.RecordBatch:
    """A text without a language whose id ends like the name of a file is code, as that file would be."""
    named = {row["row_id"]: row for row in rows.select(["row_id", "id", "form"]).to_pylist()}
    kinds, languages = kept["kind"].to_pylist(), kept["language"].to_pylist()
    for index, row_id in enumerate(kept["row_id"].to_pylist()):
        row = named[row_id]
        if row["form"] == "text" and kinds[index] == "sft" and (language := _language(row["id"])):
            kinds[index], languages[index] = "code", language
    for name, values in (("kind", kinds), ("language", languages)):
        at = kept.schema.get_field_index(name)
        kept = kept.set_column(at, kept.schema.field(at), pa.array(values, pa.string()))
    return kept


def _language(id_text: str) -> str | None:
    name = orjson.loads(id_text) if id_text.startswith('"') else None
    return language_of(name)


def _unreadable(batch: pa.RecordBatch) -> pa.RecordBatch:
    rows = batch.select(["row_id", "park"]).to_pylist()
    return verdict_batch(
        [Verdict(row["row_id"], "", "park", row["park"]) for row in rows if row["park"] is not None]
    )


def _spanned(batch: pa.RecordBatch, verdicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The input rows of verdicts with spans; a record with messages comes parsed."""
    wanted = pa.array([v["row_id"] for v in verdicts if v["spans"]], pa.string())
    chosen = batch.filter(pc.is_in(batch["row_id"], value_set=wanted)).select(["row_id", "form", "payload"])
    rows: list[dict[str, Any]] = chosen.to_pylist()
    for row in rows:
        payload = row.pop("payload")
        row["value"] = parse_json(payload.decode("utf-8")) if row["form"] == "messages" else None
    return rows


def _places(row: Mapping[str, Any], span: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    place = (span["path"], span["start"], span["end"])
    return record_places(row["value"], *place) if row["form"] == "messages" else text_places(*place)
