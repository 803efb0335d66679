"""A stage over a cache: rows whose content was judged before cost a look-up, the others run.

What is cached for a row is its outcome without its name: the verdict, the tokens, and the output row only
where it differs from the input. A stage may be cached when each row's outcome depends on that row alone and a
row without a verdict goes on unchanged.
"""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
import pyarrow as pa

from winnow.core.identity import canonical
from winnow.core.runner import Judged, bounded, run_stage
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


@dataclass
class _Pending:
    batch: pa.RecordBatch
    keys: list[bytes]
    values: list[bytes | None]

    @property
    def missing(self) -> list[int]:
        return [i for i, value in enumerate(self.values) if value is None]


def run_cached(
    stage: Stage,
    batches: Iterable[pa.RecordBatch],
    cache: ResultCache,
    use: CacheUse,
    workers: int | None = None,
) -> Iterator[Judged]:
    """As `run_stage`, but only rows that the cache does not know are run; `use` counts both."""
    pending: deque[_Pending] = deque()

    def misses() -> Iterator[pa.RecordBatch]:
        for batch in bounded(batches):
            keys = content_keys(batch)
            item = _Pending(batch, keys, cache.get(keys))
            pending.append(item)
            missing = item.missing
            use.hits += batch.num_rows - len(missing)
            use.misses += len(missing)
            if missing:
                yield batch.take(pa.array(missing))

    for judged in run_stage(stage, misses(), workers):
        while not pending[0].missing:
            yield _merge(pending.popleft(), cache)
        item = pending.popleft()
        for index, value in zip(item.missing, _outcomes(judged), strict=True):
            item.values[index] = value
        yield _merge(item, cache)
    while pending:
        yield _merge(pending.popleft(), cache)


def _outcomes(judged: Judged) -> list[bytes]:
    """What is cached for each row of a batch that ran."""
    output = judged.output
    verdicts = {v["row_id"]: v for v in output.verdicts.to_pylist()}
    tokens = (
        {t["row_id"]: t for t in output.side["row_tokens"].to_pylist()} if "row_tokens" in output.side else {}
    )
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
        ]
        values.append(orjson.dumps(outcome))
    return values


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _OWN}


def _merge(item: _Pending, cache: ResultCache) -> Judged:
    batch = item.batch
    own = batch.select([n for n in _OWN if n in batch.schema.names]).to_pylist()
    take: list[int] = []
    changed: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    tokens: list[dict[str, Any]] = []
    for index, value in enumerate(item.values):
        assert value is not None
        cache.put(item.keys[index], value)
        verdict, counted, row = orjson.loads(value)
        name = own[index]
        if verdict:
            verdicts.append({**verdict, "row_id": name["row_id"], "source": name["source"]})
        if counted:
            tokens.append({"row_id": name["row_id"], "tokens_in": counted[0], "tokens_out": counted[1]})
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
