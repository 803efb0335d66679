"""What must hold of every lake at every moment, and what two lakes must share to be the same."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

import pyarrow.parquet as pq
from plain_duckdb import LAYERS, OPEN_LAYERS, OPEN_TABLES, PlainDuckDB, Rows

from winnow.lake.content_hash import hash_table
from winnow.lake.contracts import contract_of
from winnow.lake.lake import Lake
from winnow.lake.release import list_releases, load_release
from winnow.lake.sweep import sweep
from winnow.lake.verdicts import read_verdicts

CURATED_TABLES = ("raw", "conversations", *OPEN_TABLES)
"""Every table that is there before a model is trained."""
NOT_IN_OPEN = ("_candidates", "rejected", "_spill", "_cache", ".writing")
KEPT, GONE = ("keep", "redact"), ("drop", "park")


def content(lake: Lake, tables: Iterable[str] = CURATED_TABLES) -> dict[str, str]:
    """The content hash of every table and release."""
    hashes = {table: hash_table(lake, contract_of(table)).hexdigest for table in tables}
    return hashes | {f"release:{n}": load_release(lake, n).content_hash for n in list_releases(lake)}


@dataclass(frozen=True)
class Sight:
    """What a plain DuckDB sees in the open root: rows by table and partition, and who they are by layer."""

    tables: Mapping[str, Mapping[str, Rows]]
    identities: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, lake: Lake) -> "Sight":
        with PlainDuckDB(lake) as reader:
            return cls(
                {table: reader.partitions(table) for table in OPEN_TABLES},
                {layer: reader.identities(layer) for layer in OPEN_LAYERS},
            )

    @property
    def partitions(self) -> int:
        """How many partitions of layers show rows."""
        return sum(len(self.tables[layer]) for layer in OPEN_LAYERS)

    def strangers(self, audited: Iterable["Sight"]) -> list[str]:
        """Partitions that show rows, and neither those of the one audited lake nor those of another."""
        known = list(audited)
        return [
            f"{table}/{key}: {rows.total()} rows"
            for table, partitions in self.tables.items()
            for key, rows in partitions.items()
            if all(rows != sight.tables[table].get(key, Counter()) for sight in known)
        ]


def shows_only_audited_rows(lake: Lake, audited: Iterable[Sight]) -> Sight:
    """Holds what is visible now against audited lakes, partition by partition, and against its own counts."""
    seen = Sight.of(lake)
    assert seen.strangers(audited) == []
    with PlainDuckDB(lake) as reader:
        counts = reader.counts()
        assert [table for table in OPEN_LAYERS if reader.has(table) and reader.repeats(table)] == []
    for (stage, source), decided in counts.items():
        settled = sum(decided.get(name, 0) for name in (*KEPT, *GONE))
        assert decided["in"] == settled, (stage, source, decided)
    described = lake.head("stage_counts").partitions
    for stage, layer in LAYERS.items():
        for source, state in lake.head(layer).partitions.items():
            told = described.get(f"{stage}/{source}")
            assert told is not None, f"{layer}/{source} is published, and nothing counts it"
            if told.stage_version == state.stage_version:
                kept = sum(counts[stage, source].get(name, 0) for name in KEPT)
                assert state.rows == kept, (layer, source)
            elif layer in OPEN_LAYERS:
                assert seen.tables[layer].get(source, Counter()).total() == state.rows
    return seen


def holds_no_unaudited_file(lake: Lake, audited: Iterable[Sight]) -> None:
    """In the open root no candidate, spill or cache; what no log names holds audited rows, or is torn."""
    zone = lake.zone("open")
    paths = [entry.path for entry in zone.list()]
    assert [path for path in paths if any(part in path for part in NOT_IN_OPEN)] == []
    known = {layer: frozenset().union(*(s.identities[layer] for s in audited)) for layer in OPEN_LAYERS}
    for path in paths:
        layer = path.partition("/")[0]
        if layer not in OPEN_LAYERS or not path.endswith(".parquet"):
            continue
        with zone.open_input(path) as file:
            try:
                rows = pq.read_table(file, columns=["row_id", "content_hash"]).to_pylist()
            except OSError:
                continue  # cut off by the kill
        assert {f"{row['row_id']}:{row['content_hash']}" for row in rows} <= known[layer], path


def accounts_for_every_row(lake: Lake) -> None:
    """Of a finished lake: what a layer took in is what the one before kept, and all of it went somewhere once."""
    layers = list(LAYERS.items())
    with PlainDuckDB(lake) as reader:
        counts = reader.counts()
    for (_, before), (stage, layer) in pairwise(layers):
        for source, state in lake.head(layer).partitions.items():
            came = _ids(lake, before, source)
            kept = _ids(lake, layer, source)
            verdicts = read_verdicts(lake, stage, source).read_all().to_pylist()
            gone = Counter(v["row_id"] for v in verdicts if v["decision"] in GONE)
            assert kept + gone == came, (layer, source)
            assert max(came.values(), default=1) == 1, (before, source)
            assert (kept.total(), came.total()) == (state.rows, counts[stage, source]["in"])
    for source in lake.head("preference_pairs").partitions:
        pairs = [r for b in lake.scan("preference_pairs", [source], ["parent_row_id"]) for r in b.to_pylist()]
        verdicts = read_verdicts(lake, "preference", source).read_all().to_pylist()
        kept = Counter(pair["parent_row_id"] for pair in pairs)
        assert kept + Counter(v["row_id"] for v in verdicts) == _ids(lake, "curated", source), source


def sweeps_clean(lake: Lake, audited: Iterable[Sight]) -> int:
    """Sweeps with no grace: what is visible stays, nothing is left to sweep; returns how many files went."""
    before = Sight.of(lake)
    swept = sweep(lake, timedelta(0))
    assert Sight.of(lake) == before
    assert sweep(lake, timedelta(0), dry_run=True).files == ()
    holds_no_unaudited_file(lake, audited)
    assert not list(lake.zone("restricted").list("_candidates"))
    named = {
        file.path
        for table in OPEN_TABLES
        for state in lake.head(table).partitions.values()
        for file in state.files
    }
    paths = {entry.path for entry in lake.zone("open").list() if "/part-" in entry.path}
    assert named <= paths
    return len(swept.files)


def files_of(lake: Lake, tables: Iterable[str] = CURATED_TABLES) -> dict[tuple[str, str], tuple[str, ...]]:
    """The files of every partition at the head."""
    return {
        (table, key): tuple(file.path for file in state.files)
        for table in tables
        for key, state in lake.head(table).partitions.items()
    }


def rewritten(
    before: Mapping[tuple[str, str], tuple[str, ...]], after: Mapping[tuple[str, str], tuple[str, ...]]
) -> set[tuple[str, str]]:
    """Partitions whose files are others now, or that are new."""
    return {key for key, files in after.items() if before.get(key) != files}


def _ids(lake: Lake, table: str, source: str) -> Counter[str]:
    """Rows of a partition by id; a row split in two counts as its parent, once."""
    ids: Counter[str] = Counter()
    for batch in lake.scan(table, [source], ["row_id"]):
        ids.update(str(name) for name in batch["row_id"].to_pylist())
    return ids
