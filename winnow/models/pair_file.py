"""Preference pairs in a Parquet file: which of them, in which order, without reading the rest."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from winnow.core.errors import ConfigError, DataError
from winnow.models.row_file import shuffled

COLUMNS = ("row_id", "source", "content_hash", "messages", "chosen", "rejected", "meta")
_BATCH = 512


@dataclass(frozen=True)
class Pair:
    """A pair: `messages` are the prompt, the answers are texts; a missing answer is an empty one."""

    row_id: str
    source: str
    content_hash: str
    """Hash of the prompt and both answers."""
    messages: list[dict[str, Any]]
    chosen: str
    rejected: str


@dataclass(frozen=True)
class PairFile:
    """A Parquet file with the columns row_id, source, content_hash, messages, chosen, rejected and meta."""

    path: Path

    def ordered_ids(self, seed: int, limit: int | None = None) -> list[str]:
        """Row ids by the hash of seed and id, at most `limit`; the order of the file does not matter.

        Raises DataError for a file that is no Parquet, a missing column, and a row id that stands twice.
        """
        ids = [row["row_id"] for row in self._rows(("row_id",))]
        seen: set[str] = set()
        for row_id in ids:
            if row_id in seen:
                raise DataError(f"{self.path.name}: row_id {row_id} stands twice. Write each pair once.")
            seen.add(row_id)
        return shuffled(ids, seed)[:limit]

    def read(self, row_ids: Sequence[str]) -> list[Pair]:
        """These pairs, in this order."""
        found = {row["row_id"]: row for row in self._rows(COLUMNS, set(row_ids))}
        return [
            Pair(
                row["row_id"],
                row["source"],
                row["content_hash"],
                list(row["messages"]),
                row["chosen"] or "",
                row["rejected"] or "",
            )
            for row in map(found.__getitem__, row_ids)
        ]

    def groups(self, row_ids: Sequence[str], name: str) -> list[str]:
        """The group of each of these pairs: the value of a column, or of a key of `meta` (`meta.distribution`).

        A pair without a value is a group of its own. Raises ConfigError for a name that no pair has.
        """
        column, _, key = name.partition(".")
        values: dict[str, str | None] = {}
        for row in self._rows(("row_id", column), set(row_ids)):
            value = _key(row[column], key) if key else row[column]
            values[row["row_id"]] = None if value is None else str(value)
        if row_ids and not any(value is not None for value in values.values()):
            raise ConfigError(
                f"group: no pair of {self.path.name} has a value of `{name}`. "
                "Name a column, or a key of `meta` as `meta.distribution`."
            )
        return [row_id if (value := values[row_id]) is None else value for row_id in row_ids]

    def _rows(self, names: Sequence[str], wanted: set[str] | None = None) -> Iterator[dict[str, Any]]:
        members = None if wanted is None else pa.array(sorted(wanted), pa.string())
        with self._opened() as file:
            missing = sorted(set(names) - set(file.schema_arrow.names))
            if missing:
                raise DataError(f"{self.path.name}: no column {', '.join(missing)}. Write it into the file.")
            for batch in file.iter_batches(batch_size=_BATCH, columns=list(dict.fromkeys(names))):
                if members is not None:
                    batch = batch.filter(pc.is_in(batch.column("row_id"), value_set=members))
                yield from batch.to_pylist()

    @contextmanager
    def _opened(self) -> Iterator[pq.ParquetFile]:
        try:
            file = pq.ParquetFile(self.path)
        except FileNotFoundError:
            raise DataError(f"{self.path}: no such file. Give a Parquet file of pairs.") from None
        except pa.ArrowInvalid:
            raise DataError(f"{self.path.name}: no Parquet file. Write the pairs as Parquet.") from None
        with file:
            yield file


def _key(meta: str | None, key: str) -> Any:
    try:
        found = json.loads(meta) if meta else None
    except ValueError:
        found = None
    return found.get(key) if isinstance(found, dict) else None
