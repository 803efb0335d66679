"""Tokens of rows: the decoded message text under a tokenizer, each content counted once."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from schemas.verdicts import TOKEN_COUNTS
from winnow.curation.text import batch_texts
from winnow.models.tokenizer import TokenCounter

CACHED = 100_000
"""Contents whose count a worker remembers; about 10 MB."""

_NAMES: dict[str, Any] = {"row_id": pa.string(), "tokens_in": pa.int64(), "tokens_out": pa.int64()}
ROW_TOKENS = pa.schema(_NAMES)
"""Tokens of a row before and after the stage that changed it."""


class RowTokens:
    """Counts the tokens of rows; a content met again costs a look-up. Picklable without its cache.

    Counted is `row_text`: reasoning, content, names and arguments of tool calls; not roles or tool schemas.
    """

    def __init__(self, counter: TokenCounter, cached: int = CACHED) -> None:
        self.counter = counter
        self._limit = cached
        self._cache: dict[str, int] = {}

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_cache": {}}

    def count(self, batch: pa.RecordBatch) -> list[int]:
        """Tokens of each row of the batch."""
        hashes: list[Any] = batch.column("content_hash").to_pylist()
        unknown = {h: i for i, h in enumerate(hashes) if h not in self._cache}
        known = {h: self._cache[h] for h in hashes if h not in unknown}
        if unknown:
            texts = batch_texts(batch.take(pa.array(list(unknown.values()), pa.int64())))
            self._remember(dict(zip(unknown, self.counter.count(texts), strict=True)), known)
        return [known[h] for h in hashes]

    def _remember(self, counted: dict[str, int], known: dict[str, int]) -> None:
        known.update(counted)
        self._cache.update(counted)
        for oldest in list(self._cache)[: max(0, len(self._cache) - self._limit)]:
            del self._cache[oldest]

    def table(self, batch: pa.RecordBatch, counts: Sequence[int]) -> pa.RecordBatch:
        """Rows of `token_counts`: one a content of the batch, in order of first appearance."""
        seen: dict[str, tuple[str, int]] = {}
        hashes: list[Any] = batch.column("content_hash").to_pylist()
        sources: list[Any] = batch.column("source").to_pylist()
        for content, source, tokens in zip(hashes, sources, counts, strict=True):
            seen.setdefault(content, (source, tokens))
        rows = [
            {"source": s, "content_hash": h, "tokenizer_hash": self.counter.hash, "tokens": n}
            for h, (s, n) in seen.items()
        ]
        return pa.RecordBatch.from_pylist(rows, schema=TOKEN_COUNTS.arrow_schema())
