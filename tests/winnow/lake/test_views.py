from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from small_lake import conversation, grow, grown, lake_in, publish_layer, sample

from schemas.rows import SANITIZED
from winnow.core.errors import ConfigError, DataError
from winnow.lake.access import access_records
from winnow.lake.contracts import contract_of, declared
from winnow.lake.lake import Lake
from winnow.lake.pins import pins_now
from winnow.lake.release import build_release
from winnow.lake.sql_types import duckdb_type
from winnow.lake.views import connect, question, write_init

OPEN = sorted(table for table, contract in declared().items() if contract.zone == "open")


def count(lake: Lake, table: str) -> int:
    return sum(batch.num_rows for batch in lake.scan(table, columns=["source"]))


@pytest.mark.parametrize("state", ["empty", "grown"])
def test_every_view_has_the_types_of_its_contract(tmp_path: Path, state: str) -> None:
    lake = grown(tmp_path) if state == "grown" else lake_in(tmp_path)
    with connect(lake) as sql:
        for table in [*OPEN, "verdicts_sanitize"]:
            found = {r[0]: r[1] for r in sql.execute(f"DESCRIBE FROM pinned.{table}").fetchall()}
            expected = {c.name: duckdb_type(c.type) for c in contract_of(table).columns}
            plain = {name: kind.replace('"', "") for name, kind in expected.items()}
            assert {name: kind.replace('"', "") for name, kind in found.items()} == plain


def test_views_hold_the_rows_of_the_lake(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    with connect(lake) as sql:
        for table in ("sanitized", "deduped", "decontaminated", "curated", "sft_train"):
            assert sql.execute(f"FROM {table} SELECT count(*)").fetchone() == (count(lake, table),)
        rows = sql.execute("FROM sft_train ORDER BY row_id").to_arrow_table().to_pylist()
    scanned = [row for batch in lake.scan("sft_train") for row in batch.to_pylist()]
    assert rows == sorted(scanned, key=lambda row: str(row["row_id"]))


def test_a_connection_never_sees_the_lake_move(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    with connect(lake) as old:
        before = old.execute("FROM sanitized ORDER BY ALL").fetchall()
        grow(lake, {**rows, "beta": rows["beta"][:2]})
        assert old.execute("FROM sanitized ORDER BY ALL").fetchall() == before
        with connect(lake) as new:
            assert new.execute("FROM sanitized SELECT count(*)").fetchone() == (len(before) - 4,)


@pytest.mark.parametrize("source", ["007", "2026-1-1"])
def test_a_source_that_looks_like_a_number_or_a_date_stays_text(tmp_path: Path, source: str) -> None:
    lake = lake_in(tmp_path)
    publish_layer(lake, "sanitize", SANITIZED, source, 1, [conversation(source, "k", "t")], inputs={})
    with connect(lake) as sql:
        assert sql.execute("FROM sanitized SELECT source").fetchall() == [(source,)]
        assert sql.execute("FROM sanitized SELECT count(*) WHERE source = ?", [source]).fetchone() == (1,)


def test_what_is_not_sanitized_needs_a_reason_and_leaves_a_record(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    with connect(lake) as sql, pytest.raises(duckdb.CatalogException):
        sql.execute("FROM conversations")
    for why in (None, "  "):
        with pytest.raises(ConfigError, match="--reason"):
            connect(lake, restricted=True, why=why)
    assert access_records(lake) == []
    with connect(lake, restricted=True, why="ticket 7", who="ann") as sql:
        assert sql.execute("FROM conversations SELECT count(*)").fetchone() == (14,)
        assert sql.execute("FROM raw SELECT count(*)").fetchone() == (14,)
    (record,) = access_records(lake)
    assert (record["who"], record["why"]) == ("ann", "ticket 7")
    assert not list((tmp_path / "lake").rglob("*access*"))


def test_nothing_restricted_is_named_in_open_views(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    uris = [uri for pin in pins_now(lake) for uri in pin.uris]
    assert uris
    assert not [uri for uri in uris if lake.settings.restricted.root in uri]
    init = tmp_path / "lake.init.sql"
    write_init(lake, init)
    assert lake.settings.restricted.root not in init.read_text()


def test_the_init_file_makes_the_same_views_in_plain_duckdb(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    init = tmp_path / "lake.init.sql"
    write_init(lake, init)
    with duckdb.connect(":memory:") as plain, connect(lake) as sql:
        plain.execute(init.read_text())
        for query in ("FROM sft_train ORDER BY ALL", "FROM verdicts ORDER BY ALL", question("funnel")):
            assert plain.execute(query).fetchall() == sql.execute(query).fetchall()


def test_a_release_is_seen_as_it_was_with_its_verdicts_and_funnel(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    build_release(lake, "first")
    queries = ("FROM sft_train ORDER BY ALL", "FROM verdicts ORDER BY ALL", "FROM funnel ORDER BY ALL")
    with connect(lake) as sql:
        before = [sql.execute(query).fetchall() for query in queries]
    grow(lake, {**rows, "beta": rows["beta"][:2]}, config={"newer": True})
    with connect(lake, release="first") as sql:
        assert [sql.execute(query).fetchall() for query in queries] == before
        with pytest.raises(duckdb.CatalogException, match="curated"):
            sql.execute("FROM curated")
    with pytest.raises(DataError, match="No release `frist`"):
        connect(lake, release="frist")


def test_a_path_with_a_quote_is_a_path(tmp_path: Path) -> None:
    root = tmp_path / "o'brien"
    root.mkdir()
    lake = lake_in(root)
    publish_layer(lake, "sanitize", SANITIZED, "a", 1, [conversation("a", "k", "t")], inputs={})
    with connect(lake) as sql:
        assert sql.execute("FROM sanitized SELECT count(*)").fetchone() == (1,)


def test_a_type_that_no_contract_may_use_is_refused() -> None:
    with pytest.raises(TypeError, match="time64"):
        duckdb_type(pa.time64("us"))
    with pytest.raises(TypeError, match="timestamp"):
        duckdb_type(pa.timestamp("us"))
