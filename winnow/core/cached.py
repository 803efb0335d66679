"""A stage over a cache: rows whose content was judged before cost a look-up, the others run.

What is cached for a row is its outcome without its name: the verdict, the tokens, the output row only where it
differs from the input, and the findings. A stage may be cached when each row's outcome depends on that row alone and a
row without a verdict goes on unchanged.
"""

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import orjson
import pyarrow as pa

from schemas.findings import FINDINGS
from winnow.core.identity import canonical
from winnow.core.runner import MAX_BATCH_BYTES, Judged, bounded, run_stage
from winnow.core.stage import VERDICT_SCHEMA, Stage, StageOutput

_OWN = ("row_id", "parent_row_id", "source", "source_revision")
"""What a row is called; it comes from the row at hand, never from the cache."""
_CONTENT = ("content_hash", "kind", "language", "license", "meta")
_TOKEN_TYPES: dict[str, pa.DataType] = {
    "row_id": pa.string(),
    "tokens_in": pa.int64(),
    "tokens_out": pa.int64(),
}
_TOKENS = pa.schema(_TOKEN_TYPES)
_FINDINGS = FINDINGS.arrow_schema()
_WAITING_BYTES = 16 << 20
_BATCH_BYTES = MAX_BATCH_BYTES // 2
"""Rows taken out of a batch may need a little more than they did in it, and must not be split again."""


class ResultCache(Protocol):
    """Bytes by a 16-byte key; kept by the caller between runs."""

    def get(self, keys: Sequence[bytes]) -> list[bytes | None]: ...

    def put(self, key: bytes, value: bytes) -> None: ...


@dataclass
class CacheUse:
    """How many rows were looked up and how many had to run."""

    hits: int = 0
    misses: int = 0


def content_keys(batch: pa.RecordBatch) -> list[bytes]:
    """One key a row, of everything in it but its name."""
    columns = [batch.column(name).to_pylist() for name in _CONTENT]
    return [
        hashlib.blake2b(canonical(values), digest_size=16).digest() for values in zip(*columns, strict=True)
    ]


Values = list[bytes]
"""What is cached for each row of a batch."""


def looked_up(
    batches: Iterable[pa.RecordBatch],
    keys_of: Callable[[pa.RecordBatch], list[bytes]],
    compute: Callable[[Iterator[pa.RecordBatch]], Iterator[Values]],
    cache: ResultCache,
    use: CacheUse,
) -> Iterator[tuple[pa.RecordBatch, Values]]:
    """Each batch with the value of each row, out of the cache or computed; every value is put back into it.

    `compute` is given batches of the missing rows and returns their values, batch by batch in order; `use`
    counts rows. Memory beside that of `compute`: 16 MiB of known rows that wait for one before them.
    """
    work = _LookUp(iter(batches), keys_of, cache, use)
    while not work.exhausted:
        for values in compute(work.missing()):
            yield from work.known()
            yield work.complete(values)
        yield from work.known()


@dataclass
class _Waiting:
    batch: pa.RecordBatch
    keys: list[bytes]
    values: list[bytes | None]
    held: int

    @property
    def missing(self) -> list[int]:
        return [i for i, value in enumerate(self.values) if value is None]


class _LookUp:
    """Batches that were looked up and wait, in order, for the values of their missing rows."""

    def __init__(
        self,
        source: Iterator[pa.RecordBatch],
        keys_of: Callable[[pa.RecordBatch], list[bytes]],
        cache: ResultCache,
        use: CacheUse,
    ) -> None:
        self._source, self._keys_of, self._cache, self._use = source, keys_of, cache, use
        self._waiting: deque[_Waiting] = deque()
        self._held = 0
        self.exhausted = False

    def missing(self) -> Iterator[pa.RecordBatch]:
        """The rows to compute; it ends early where too many known rows would wait for them."""
        for batch in self._source:
            keys = self._keys_of(batch)
            values = self._cache.get(keys)
            missing = [i for i, value in enumerate(values) if value is None]
            known = len(keys) - len(missing)
            held = batch.nbytes * known // max(len(keys), 1) + sum(len(v) for v in values if v)
            self._waiting.append(_Waiting(batch, keys, values, held))
            self._held += held
            self._use.hits += known
            self._use.misses += len(missing)
            if missing:
                yield batch.take(pa.array(missing))
            if self._held > _WAITING_BYTES:
                return
        self.exhausted = True

    def known(self) -> Iterator[tuple[pa.RecordBatch, Values]]:
        """The batches at the front that miss nothing."""
        while self._waiting and not self._waiting[0].missing:
            yield self.complete([])

    def complete(self, values: Values) -> tuple[pa.RecordBatch, Values]:
        """The first batch, its missing values given."""
        item = self._waiting.popleft()
        self._held -= item.held
        for index, value in zip(item.missing, values, strict=True):
            item.values[index] = value
        whole = [value for value in item.values if value is not None]
        for key, value in zip(item.keys, whole, strict=True):
            self._cache.put(key, value)
        return item.batch, whole


def run_cached(
    stage: Stage,
    batches: Iterable[pa.RecordBatch],
    cache: ResultCache,
    use: CacheUse,
    workers: int | None = None,
    scratch: Path | None = None,
) -> Iterator[Judged]:
    """As `run_stage`, but only rows that the cache does not know are run; `use` counts both."""

    def compute(missing: Iterator[pa.RecordBatch]) -> Iterator[Values]:
        return map(_outcomes, run_stage(stage, missing, workers, scratch))

    for batch, values in looked_up(bounded(batches, _BATCH_BYTES), content_keys, compute, cache, use):
        yield _merge(batch, values)


def _outcomes(judged: Judged) -> list[bytes]:
    """What is cached for each row of a batch that ran."""
    output = judged.output
    verdicts = {v["row_id"]: v for v in output.verdicts.to_pylist()}
    tokens = (
        {t["row_id"]: t for t in output.side["row_tokens"].to_pylist()} if "row_tokens" in output.side else {}
    )
    findings: dict[str, list[dict[str, Any]]] | None = None
    if "findings" in output.side:
        findings = defaultdict(list)
        for finding in output.side["findings"].to_pylist():
            findings[finding["row_id"]].append(_plain(finding))
    kept_at = {row: i for i, row in enumerate(output.kept["row_id"].to_pylist())}
    values = []
    for row in judged.batch["row_id"].to_pylist():
        verdict, token = verdicts.get(row), tokens.get(row)
        changed = None
        if verdict is not None and row in kept_at:
            changed = _plain(output.kept.slice(kept_at[row], 1).to_pylist()[0])
        outcome = [
            _plain(verdict) if verdict else None,
            [token["tokens_in"], token["tokens_out"]] if token else None,
            changed,
            findings.get(row, []) if findings is not None else None,
        ]
        values.append(orjson.dumps(outcome))
    return values


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _OWN}


def _merge(batch: pa.RecordBatch, values: Values) -> Judged:
    own = batch.select([n for n in _OWN if n in batch.schema.names]).to_pylist()
    take: list[int] = []
    changed: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    tokens: list[dict[str, Any]] = []
    findings: list[dict[str, Any]] | None = None
    for index, value in enumerate(values):
        verdict, counted, row, found = orjson.loads(value)
        name = own[index]
        if verdict:
            verdicts.append({**verdict, "row_id": name["row_id"], "source": name["source"]})
        if counted:
            tokens.append({"row_id": name["row_id"], "tokens_in": counted[0], "tokens_out": counted[1]})
        if found is not None:
            of_row = {"row_id": name["row_id"], "source": name["source"]}
            findings = findings if findings is not None else []
            findings += ({**finding, **of_row} for finding in found)
        if row is not None:
            take.append(batch.num_rows + len(changed))
            changed.append({**row, **name})
        elif not verdict or verdict["decision"] in ("keep", "redact"):
            take.append(index)
    rows = pa.Table.from_batches([batch])
    if changed:
        rows = pa.concat_tables([rows, pa.Table.from_pylist(changed, schema=batch.schema)])
    kept = rows.take(pa.array(take, pa.int64())).combine_chunks()
    side = {"row_tokens": pa.RecordBatch.from_pylist(tokens, schema=_TOKENS)} if tokens else {}
    if findings is not None:
        side["findings"] = pa.RecordBatch.from_pylist(findings, schema=_FINDINGS)
    output = StageOutput(
        rows_in=batch.num_rows,
        kept=_one_batch(kept, batch.schema),
        verdicts=pa.RecordBatch.from_pylist(verdicts, schema=VERDICT_SCHEMA),
        side=side,
    )
    return Judged(batch, output)


def _one_batch(table: pa.Table, schema: pa.Schema) -> pa.RecordBatch:
    batches = table.to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=schema)
