"""What a foreign reader sees: DuckDB with the delta extension on the newest version, and nothing of ours."""

from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb

from schemas.contract import Contract
from schemas.verdicts import STAGES
from winnow.lake.contracts import contract_of
from winnow.lake.lake import Lake

LAYERS = {
    "ingest": "raw",
    "normalize": "conversations",
    "sanitize": "sanitized",
    "dedup": "deduped",
    "decontaminate": "decontaminated",
    "quality": "curated",
    "split": "sft_train",
}
OPEN_LAYERS = tuple(layer for layer in LAYERS.values() if contract_of(layer).zone == "open")
OPEN_TABLES = (
    *OPEN_LAYERS,
    "sft_heldout",
    "preference_pairs",
    "token_counts",
    *(f"verdicts_{stage}" for stage in STAGES),
    "stage_counts",
)
Rows = Counter[str]
"""Digests of whole rows, each as often as it stands there."""


class PlainDuckDB:
    """A DuckDB connection that knows the open root of a lake by its Delta logs alone."""

    def __init__(self, lake: Lake) -> None:
        self._zone = lake.zone("open")
        self.connection = duckdb.connect()
        self._load("delta")
        if self._zone.settings.is_s3:
            self._zone.settings.duckdb_setup(self.connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def _load(self, name: str) -> None:
        found = find_spec(f"duckdb_extension_{name}")
        assert found is not None
        assert found.origin is not None
        version = self.connection.execute("SELECT version()").fetchone()
        assert version is not None
        self.connection.load_extension(
            str(Path(found.origin).parent / "extensions" / version[0] / f"{name}.duckdb_extension")
        )

    def has(self, table: str) -> bool:
        """Whether a log of the table has a first version."""
        return self._zone.exists(f"{table}/_delta_log/00000000000000000000.json")

    def scan(self, table: str) -> str:
        return f"delta_scan('{self._zone.uri(table)}')"

    def partitions(self, table: str) -> dict[str, Rows]:
        """The rows of each partition at the head, by digest; none when the table does not exist."""
        if not self.has(table):
            return {}
        contract = contract_of(table)
        seen: dict[str, Rows] = {}
        for key, row, count in self.connection.execute(self._digests(contract)).fetchall():
            seen.setdefault(key, Counter())[row] = count
        return seen

    def _digests(self, contract: Contract) -> str:
        key = " || '/' || ".join(contract.partition_by)
        said = ", ".join(f"'{c.name}': {c.name}" for c in contract.columns if not c.operational)
        return (
            f"SELECT {key}, md5(CAST({{{said}}} AS VARCHAR)), count(*) "
            f"FROM {self.scan(contract.table)} GROUP BY ALL"
        )

    def repeats(self, table: str) -> int:
        """Keys that stand more than once."""
        contract = contract_of(table)
        key = ", ".join((*contract.partition_by, *contract.key))
        found = self.connection.execute(
            f"SELECT count(*) FROM (SELECT {key} FROM {self.scan(table)} GROUP BY ALL HAVING count(*) > 1)"
        ).fetchone()
        assert found is not None
        return int(found[0])

    def identities(self, table: str) -> frozenset[str]:
        """`row_id:content_hash` of every row of a layer."""
        if not self.has(table):
            return frozenset()
        found = self.connection.execute(f"SELECT row_id || ':' || content_hash FROM {self.scan(table)}")
        return frozenset(name for (name,) in found.fetchall())

    def counts(self) -> dict[tuple[str, str], dict[str, int]]:
        """Rows by decision of each (stage, source) in stage_counts."""
        if not self.has("stage_counts"):
            return {}
        found: dict[tuple[str, str], dict[str, int]] = {}
        for stage, source, decision, rows in self.connection.execute(
            f"SELECT stage, source, decision, sum(rows)::BIGINT FROM {self.scan('stage_counts')} GROUP BY ALL"
        ).fetchall():
            found.setdefault((stage, source), {})[decision] = rows
        return found
