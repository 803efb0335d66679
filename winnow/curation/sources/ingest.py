"""Reading a source: records become raw batches, and what does not go on gets its verdict."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyarrow as pa

from schemas.raw import RAW
from winnow.core.identity import digest, row_id
from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.curation.sources import docstring_functions, jsonl, parquet, python_distributions
from winnow.curation.sources.cap import cap_limit, rank
from winnow.curation.sources.config import Source
from winnow.curation.sources.filters import passes
from winnow.curation.sources.occurrences import Occurrences
from winnow.curation.sources.records import ReadSettings, Record

CODE_VERSION = "3"
"""Of the stage `ingest`: raise it with any change of what is read from the same bytes."""

_SCHEMA = RAW.arrow_schema()
_ROW_COST = 400
"""Bytes that a row takes beside its payload, about."""


class Reader(NamedTuple):
    """A kind of source: its records in a fixed order, and a hash of the content they come from."""

    records: Callable[[Source, ReadSettings], Iterator[Record]]
    content: Callable[[Source, ReadSettings], str]


READERS = {
    "jsonl": Reader(jsonl.records, jsonl.content),
    "parquet": Reader(parquet.records, parquet.content),
    "python_distributions": Reader(python_distributions.records, python_distributions.content),
    "docstring_functions": Reader(docstring_functions.records, docstring_functions.content),
}


def source_version(source: Source, settings: ReadSettings | None = None) -> str:
    """What the raw rows of a source depend on: content, entry without its name, and the largest record."""
    settings = settings or ReadSettings()
    content = READERS[source.kind].content(source, settings)
    return digest([CODE_VERSION, source.hashed(), content, settings.max_record_bytes])


def read(source: Source, settings: ReadSettings | None = None) -> Iterator[StageOutput]:
    """The raw rows of a source in its own order, with `ingest` verdicts, a batch of records at a time.

    Rules: `record-too-large` and `not-json` park a record; `source-filter` and `source-cap` drop it;
    `duplicate-key` keeps and flags the second and later records of a key. Ids are given before filters and
    cap apply, so neither changes one. A large source with a cap is read twice.
    Raises ConfigError (location), DataError (a corrupt file, named), RunError (S3).
    """
    settings = settings or ReadSettings()
    reader = READERS[source.kind]
    revision = source.revision or f"content-{reader.content(source, settings)[:16]}"
    identified, limit = _chosen(source, settings, reader)
    batch = _Batch(source, revision)
    for ordinal, seen in enumerate(identified):
        if batch.is_full(seen.record.size, settings):
            yield batch.output()
            batch = _Batch(source, revision)
        batch.add(ordinal, seen, limit)
    if batch.rows_in:
        yield batch.output()


def _chosen(source: Source, settings: ReadSettings, reader: Reader) -> tuple[Iterable["_Seen"], int | None]:
    """The records, and the rank up to which the cap takes them; None where all are taken."""
    if source.cap is None:
        return _identified(source, settings, reader), None
    held = _Held(settings.held_bytes)
    ranks = (
        rank(seen.row_id)
        for seen in map(held.note, _identified(source, settings, reader))
        if not _rejected(source, seen)
    )
    limit = cap_limit(ranks, source.cap)
    return held.records if held.records is not None else _identified(source, settings, reader), limit


class _Seen(NamedTuple):
    row_id: str
    occurrence: int
    record: Record


class _Held:
    """The records of a first pass while they take little memory; beyond it None, and they are read again."""

    def __init__(self, limit: int) -> None:
        self.records: list[_Seen] | None = []
        self._left = limit

    def note(self, seen: _Seen) -> _Seen:
        self._left -= seen.record.size + 2 * _ROW_COST
        if self._left < 0:
            self.records = None
        if self.records is not None:
            self.records.append(seen)
        return seen


def _identified(source: Source, settings: ReadSettings, reader: Reader) -> Iterator[_Seen]:
    occurrences = Occurrences()
    for record in reader.records(source, settings):
        first = row_id(source.id, record.key, record.content_hash, 0)
        count = occurrences.next(int(first[:16], 16))
        named = first if count == 0 else row_id(source.id, record.key, record.content_hash, count)
        yield _Seen(named, count, record)


def _rejected(source: Source, seen: _Seen) -> tuple[str, str] | None:
    """Decision and rule of a record that does not go on, the cap aside."""
    record = seen.record
    if record.park is not None:
        return "park", record.park
    if source.filters and record.fields is not None and not passes(source.filters, record.fields):
        return "drop", "source-filter"
    return None


@dataclass
class _Batch:
    source: Source
    revision: str
    rows_in: int = 0
    size: int = 0
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _SCHEMA.names})
    verdicts: list[Verdict] = field(default_factory=list)

    def is_full(self, next_size: int, settings: ReadSettings) -> bool:
        """Whether the next record must open a batch of its own."""
        return self.rows_in > 0 and (
            self.rows_in >= settings.batch_rows or self.size + next_size + _ROW_COST > settings.batch_bytes
        )

    def add(self, ordinal: int, seen: _Seen, limit: int | None) -> None:
        self.rows_in += 1
        repeated = seen.record.key is not None and seen.occurrence > 0
        rejected = _rejected(self.source, seen)
        if rejected is None and limit is not None and rank(seen.row_id) > limit:
            rejected = ("drop", "source-cap")
        if rejected is None:
            self._keep(ordinal, seen)
            rejected = ("keep", "duplicate-key") if repeated else None
        if rejected is not None:
            decision, rule = rejected
            self.verdicts.append(
                Verdict(
                    row_id=seen.row_id,
                    source=self.source.id,
                    decision=decision,
                    rule=rule,
                    rules=("duplicate-key",) if repeated else (),
                    score=float(seen.record.size) if rule == "record-too-large" else None,
                )
            )

    def _keep(self, ordinal: int, seen: _Seen) -> None:
        record = seen.record
        self.size += record.size + _ROW_COST
        values = {
            "row_id": seen.row_id,
            "source": self.source.id,
            "source_revision": self.revision,
            "key": record.key,
            "occurrence": seen.occurrence,
            "ordinal": ordinal,
            "payload_kind": record.payload_kind,
            "payload": record.payload,
            "content_hash": record.content_hash,
            "license": record.license or self.source.licence,
            "meta": record.meta,
        }
        for name, column in self.columns.items():
            column.append(values[name])

    def output(self) -> StageOutput:
        kept = pa.RecordBatch.from_pydict(self.columns, schema=_SCHEMA)
        return StageOutput(rows_in=self.rows_in, kept=kept, verdicts=verdict_batch(self.verdicts))
