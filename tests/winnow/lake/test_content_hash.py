import datetime
import hashlib
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lake import grow, grown, lake_in, publish_layer, sample, sample_rows

from schemas.checkpoints import CHECKPOINTS
from schemas.contract import Column, Contract
from schemas.rows import MESSAGE, SANITIZED
from winnow.core.identity import canonical
from winnow.lake.content_hash import RowHashes, encode, hash_table
from winnow.lake.contracts import contract_of

TEXT = st.one_of(
    st.none(), st.sampled_from(["", "0", "a", "n0:", "s1:a", "é\u0000🙂"]), st.text("ab:1é🙂\0", max_size=5)
)
CALL = st.none() | st.fixed_dictionaries({"id": TEXT, "name": TEXT, "arguments": TEXT})
TURN = st.none() | st.fixed_dictionaries(
    {
        "role": TEXT,
        "content": TEXT,
        "reasoning": TEXT,
        "tool_calls": st.none() | st.lists(CALL, max_size=2),
        "tool_call_id": TEXT,
        "name": TEXT,
    }
)
ROW = st.fixed_dictionaries(
    {
        "id": st.uuids().map(lambda u: u.hex),
        "source": st.sampled_from(["a", "b"]),
        "messages": st.none() | st.lists(TURN, max_size=3),
        "score": st.none() | st.floats(),
        "count": st.none() | st.integers(-(2**63), 2**63 - 1),
        "flag": st.none() | st.booleans(),
        "payload": st.none() | st.binary(max_size=3),
        "run": TEXT,
    }
)
ROWS = st.lists(ROW, max_size=8, unique_by=lambda row: row["id"])
TABLE = Contract(
    table="sample",
    zone="open",
    description="A column of each type.",
    columns=(
        Column("id", pa.string(), ""),
        Column("source", pa.string(), ""),
        Column("messages", pa.list_(MESSAGE), "", nullable=True),
        Column("score", pa.float64(), "", nullable=True),
        Column("count", pa.int64(), "", nullable=True),
        Column("flag", pa.bool_(), "", nullable=True),
        Column("payload", pa.binary(), "", nullable=True),
        Column("run", pa.string(), "", nullable=True, operational=True),
    ),
    key=("id",),
)


def hashed(rows: list[dict[str, Any]], cuts: int = 1) -> str:
    hashes = RowHashes(TABLE)
    table = pa.Table.from_pylist(rows, schema=TABLE.arrow_schema())
    for batch in table.to_batches(max_chunksize=cuts):
        hashes.update(batch)
    return hashes.hexdigest()


@given(st.lists(ROW, max_size=4))
def test_a_column_at_a_time_encodes_as_a_value_at_a_time(rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(rows, schema=TABLE.arrow_schema())
    for name in table.column_names:
        array = table.column(name).combine_chunks()
        assert encode(array) == [canonical(v) for v in array.to_pylist()]
        assert encode(array[1:]) == [canonical(v) for v in array.to_pylist()[1:]]


@given(ROWS, st.integers(1, 8), st.randoms(use_true_random=False))
def test_order_and_chunks_do_not_matter(rows: list[dict[str, Any]], cuts: int, rng: random.Random) -> None:
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert hashed(shuffled, cuts) == hashed(rows, 8)


@given(ROWS, ROW, st.data())
def test_any_changed_value_matters_and_an_operational_one_does_not(
    rows: list[dict[str, Any]], other: dict[str, Any], data: st.DataObject
) -> None:
    if not rows:
        return
    place = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(TABLE.names))
    changed = [dict(row) for row in rows]
    changed[place][name] = other[name]
    same = name == "run" or canonical(rows[place][name]) == canonical(other[name])
    assert (hashed(changed) == hashed(rows)) == same


@given(ROWS, st.data())
def test_a_lost_and_a_doubled_row_matter(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    if not rows:
        return
    row = data.draw(st.sampled_from(rows))
    assert len({hashed(rows), hashed([*rows, row]), hashed([r for r in rows if r is not row])}) == 3


def test_null_and_empty_differ_at_every_depth() -> None:
    base: dict[str, Any] = {n: None for n in TABLE.names} | {"id": "1", "source": "a"}
    turn = dict.fromkeys(("role", "content", "reasoning", "tool_calls", "tool_call_id", "name"))
    variants: list[Any] = [None, [], [None], [turn], [turn | {"content": ""}], [turn | {"tool_calls": []}]]
    assert len({hashed([base | {"messages": v}]) for v in variants}) == len(variants)


def test_large_and_dictionary_strings_hash_as_strings() -> None:
    plain = pa.array(["a", None, "", "b"])
    assert encode(plain.cast(pa.large_string())) == encode(plain) == encode(plain.dictionary_encode())


def test_a_timestamp_is_its_microseconds_whatever_its_unit() -> None:
    moment = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
    units = [encode(pa.array([moment], pa.timestamp(u, tz="UTC"))) for u in ("s", "ms", "us")]
    assert units == [[canonical(int(moment.timestamp() * 1e6))]] * 3


def test_a_type_without_an_encoding_is_refused() -> None:
    with pytest.raises(TypeError, match="time64"):
        encode(pa.array([1], pa.time64("us")))


def test_who_and_when_stay_out() -> None:
    names = RowHashes(CHECKPOINTS).columns
    assert "created_at" not in names
    assert "release_hash" in names


def test_the_encoding_is_the_documented_one() -> None:
    """Spelled out in bytes: the hash is printed in reports and must not move between versions of Winnow."""
    row = {"id": "1", "source": "a", "messages": [], "score": 0.5, "count": 3, "flag": True, "payload": b"x"}
    values = b"s1:1s1:al0:f20:0x1.0000000000000p-1i1:3t1:1b1:x"
    line = hashlib.blake2b(b"s1:as1:1", digest_size=16).digest()
    line += hashlib.blake2b(values, digest_size=16).digest()
    names = b"l58:s2:ids6:sources8:messagess5:scores5:counts4:flags7:payload"
    assert hashed([row | {"run": "r"}]) == hashlib.blake2b(names + line, digest_size=32).hexdigest()


def test_a_table_hashes_by_what_it_says_not_by_its_files(tmp_path: Path) -> None:
    rows = sample_rows("alpha", 40)
    hashes = set()
    for name, order, config in (("one", rows, {}), ("two", rows[::-1], {"code": 2})):
        lake = lake_in(tmp_path / name)
        publish_layer(lake, "sanitize", SANITIZED, "alpha", 40, order, inputs={}, config=config)
        hashes.add(
            (hash_table(lake, SANITIZED).hexdigest, hash_table(lake, SANITIZED, ["alpha"]).sources["alpha"])
        )
    assert len(hashes) == 1


@pytest.mark.parametrize("table", ["sanitized", "verdicts_dedup", "stage_counts", "token_counts"])
def test_a_lake_that_came_to_the_same_rows_by_detours_hashes_alike(tmp_path: Path, table: str) -> None:
    straight, winding, rows = grown(tmp_path / "one"), grown(tmp_path / "two"), sample()
    grow(winding, {**rows, "beta": rows["beta"][:3]})
    assert hash_table(straight, contract_of(table)) != hash_table(winding, contract_of(table))
    grow(winding, rows)
    assert hash_table(straight, contract_of(table)) == hash_table(winding, contract_of(table))


def test_a_pinned_head_hashes_what_it_pinned(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    head = lake.head("sanitized")
    before = hash_table(lake, SANITIZED)
    grow(lake, {**rows, "beta": rows["beta"][:3]})
    assert hash_table(lake, SANITIZED, head=head) == before
    assert hash_table(lake, SANITIZED, ["alpha"]).sources == {"alpha": before.sources["alpha"]}


def test_a_table_that_was_never_published_hashes_as_an_empty_one(tmp_path: Path) -> None:
    assert hash_table(lake_in(tmp_path), SANITIZED).hexdigest == RowHashes(SANITIZED).hexdigest()
