import datetime
import decimal
import json
import struct
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import ingest, source

from winnow.core.errors import DataError
from winnow.curation.sources.parquet import _hashable, _without_nan


def write(tmp_path: Path, table: pa.Table, name: str = "a.parquet") -> Path:
    pq.write_table(table, tmp_path / name)
    return tmp_path / name


def payloads(path: Path, **more: object) -> list[object]:
    return [json.loads(p) for p in ingest(source("parquet", path, **more)).column("payload")]


def test_a_row_is_its_json_whatever_the_order_of_columns(tmp_path: Path):
    first = ingest(source("parquet", write(tmp_path, pa.table({"a": [1], "b": ["x"]}))))
    second = ingest(source("parquet", write(tmp_path, pa.table({"b": ["x"], "a": [1]}))))
    assert first.column("payload") == [b'{"a":1,"b":"x"}']
    assert first.ids == second.ids


def test_what_json_cannot_say_is_written_so_that_it_can_be_read_back(tmp_path: Path):
    moment = datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.UTC)
    table = pa.table(
        {
            "time": pa.array([moment], pa.timestamp("us", "UTC")),
            "day": [moment.date()],
            "price": [decimal.Decimal("1.10")],
            "bytes": [b"caf\xc3\xa9"],
            "floats": [[1.5, float("nan"), float("inf"), float("-inf"), None]],
            "nested": [{"x": float("nan"), "big": 2**63 - 1}],
            "map": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
            "dict": pa.array(["go"]).dictionary_encode(),
        }
    )
    (row,) = payloads(write(tmp_path, table))
    assert row == {
        "time": "2024-05-06T07:08:09.123456+00:00",
        "day": "2024-05-06",
        "price": "1.10",
        "bytes": "café",
        "floats": [1.5, "NaN", "Infinity", "-Infinity", None],
        "nested": {"x": "NaN", "big": 2**63 - 1},
        "map": [["k", 1]],
        "dict": "go",
    }


def test_a_row_that_json_cannot_say_is_parked_and_the_next_one_read(tmp_path: Path):
    table = pa.table({"id": [1, 2, 3], "blob": pa.array([b"ok", b"\xff\xfe", b"\xff\xff"], pa.binary())})
    result = ingest(source("parquet", write(tmp_path, table)))
    assert result.column("payload") == [b'{"blob":"ok","id":1}']
    assert result.rules == {("park", "not-json"): 2}
    assert len({v["row_id"] for v in result.verdicts}) == 2


def test_a_string_that_is_no_utf8_parks_its_row_alone(tmp_path: Path):
    bad = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(struct.pack("<iii", 0, 2, 4)), pa.py_buffer(b"\xff\xfeok")]
    )
    result = ingest(source("parquet", write(tmp_path, pa.table({"id": ["a", "b"], "text": bad})), key="id"))
    assert result.column("key") == ["b"]
    assert result.rules == {("park", "not-json"): 1}


def test_a_column_may_change_its_type_between_files(tmp_path: Path):
    write(tmp_path, pa.table({"id": [1], "text": ["a"]}), "part-0.parquet")
    write(tmp_path, pa.table({"text": pa.array(["b"], pa.large_string()), "id": ["2"]}), "part-1.parquet")
    write(tmp_path, pa.table({"id": [3], "text": [4.5], "extra": pa.nulls(1)}), "part-2.parquet")
    result = ingest(source("parquet", tmp_path, key="id"))
    assert result.column("key") == ["1", "2", "3"]
    assert result.column("payload")[2] == b'{"extra":null,"id":3,"text":4.5}'


def test_two_columns_of_one_name_are_refused(tmp_path: Path):
    table = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(DataError, match=r"a\.parquet` has two columns named `text`"):
        ingest(source("parquet", write(tmp_path, table)))


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "garbled"])
def test_a_corrupt_file_is_a_data_error_that_names_it(tmp_path: Path, damage: str):
    path = write(tmp_path, pa.table({"text": [f"row {i} " * 50 for i in range(500)]}), "part-3.parquet")
    stored = path.read_bytes()
    garbled = stored[:60] + b"\xff" * 400 + stored[460:]
    path.write_bytes({"cut": stored[:-20], "text": b"hello", "empty": b"", "garbled": garbled}[damage])
    with pytest.raises(DataError, match=r"some-source.*part-3\.parquet"):
        ingest(source("parquet", path))


def test_a_large_row_is_parked(tmp_path: Path):
    table = pa.table({"id": ["a", "b"], "text": ["x" * 500, "y"]})
    result = ingest(source("parquet", write(tmp_path, table), key="id"), max_record_bytes=100)
    assert result.column("key") == ["b"]
    assert result.rules == {("park", "record-too-large"): 1}


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(json_like)
def test_any_value_can_be_hashed_and_holds_no_nan_when_written(value: object):
    _hashable(value)
    json.dumps(_without_nan(_hashable(value)), allow_nan=False, default=repr)
