"""Conversations in a Parquet or JSON Lines file: which of them, in which order, without reading the rest."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from winnow.core.errors import DataError
from winnow.core.identity import digest

_COLUMNS = ("row_id", "source", "content_hash", "messages", "tools")


@dataclass(frozen=True)
class Conversation:
    """One row: where it is from, its content hash, and what is said in it."""

    row_id: str
    source: str
    content_hash: str
    messages: list[dict[str, Any]]
    tools: str | None


@dataclass(frozen=True)
class RowFile:
    """A file of rows with the columns row_id, source, content_hash, messages, tools and, to choose by, kind.

    The suffix says what it is: `.parquet`, otherwise JSON Lines.
    """

    path: Path

    def ordered_ids(self, seed: int, kinds: Sequence[str] = (), limit: int | None = None) -> list[str]:
        """Row ids of these kinds (all, if none is named) by the hash of seed and id, at most `limit`.

        The order depends on nothing but seed and ids: not on the order of the file, nor on rows left out.
        Raises DataError for a missing column and for a row id that stands twice.
        """
        ids = [row_id for row_id, kind in self._keys(bool(kinds)) if not kinds or kind in kinds]
        if len(set(ids)) != len(ids):
            twice = next(row_id for row_id in ids if ids.count(row_id) > 1)
            raise DataError(f"{self.path.name}: row_id {twice} stands twice. Write each row once.")
        return shuffled(ids, seed)[:limit]

    def read(self, row_ids: Sequence[str]) -> list[Conversation]:
        """These rows, in this order."""
        found = {row["row_id"]: row for row in self._rows(set(row_ids))}
        return [
            Conversation(
                row["row_id"], row["source"], row["content_hash"], list(row["messages"]), row.get("tools")
            )
            for row in map(found.__getitem__, row_ids)
        ]

    def _keys(self, with_kind: bool) -> Iterator[tuple[str, str | None]]:
        names = ("row_id", "kind") if with_kind else ("row_id",)
        if self.path.suffix != ".parquet":
            for row in self._lines(names):
                yield row["row_id"], row.get("kind")
            return
        with pq.ParquetFile(self.path) as file:
            self._need(names, file.schema_arrow.names)
            for batch in file.iter_batches(columns=list(names)):
                columns = batch.to_pydict()
                yield from zip(columns["row_id"], columns.get("kind", [None] * len(batch)), strict=True)

    def _rows(self, wanted: set[str]) -> Iterator[dict[str, Any]]:
        if self.path.suffix != ".parquet":
            yield from (row for row in self._lines(_COLUMNS) if row["row_id"] in wanted)
            return
        members = pa.array(sorted(wanted), pa.string())
        with pq.ParquetFile(self.path) as file:
            self._need(_COLUMNS, file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=512, columns=list(_COLUMNS)):
                mask = pc.is_in(batch.column("row_id"), value_set=members)
                yield from batch.filter(mask).to_pylist()

    def _lines(self, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                except ValueError:
                    raise DataError(
                        f"{self.path.name}, line {number}: no JSON object. Write one a line."
                    ) from None
                self._need(set(names) - {"tools"}, row)
                yield row

    def _need(self, names: Sequence[str] | set[str], present: Any) -> None:
        missing = sorted(set(names) - set(present))
        if missing:
            raise DataError(f"{self.path.name}: no column {', '.join(missing)}. Write it into the file.")


def shuffled(row_ids: Sequence[str], seed: int, epoch: int = 0) -> list[str]:
    """The ids in the order of the hash of seed, epoch and id.

    >>> shuffled(["a", "b", "c"], seed=1) == shuffled(["c", "b", "a"], seed=1)
    True
    """
    return sorted(row_ids, key=lambda row_id: (digest([seed, epoch, row_id]), row_id))
