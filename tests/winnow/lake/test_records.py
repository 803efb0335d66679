import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable
from deltalake.exceptions import CommitFailedError
from hypothesis import given, settings
from hypothesis import strategies as st
from small_lake import lake_in

from schemas.evaluations import EVALUATION_ITEMS, EVALUATIONS
from winnow.core.errors import ConfigError, DataError
from winnow.lake.lake import Lake
from winnow.lake.records import records, replace_rows, rewrite

ITEM = st.fixed_dictionaries(
    {
        "evaluation_id": st.sampled_from(["e1", "e2"]),
        "item_id": st.sampled_from(["i1", "i2", "i3"]),
        "value": st.sampled_from([0.0, 1.0]),
        "tokens": st.just(3),
        "seconds": st.sampled_from([0.1, 0.2]),
    }
)
WRITE = st.lists(ITEM, max_size=4, unique_by=lambda i: (i["evaluation_id"], i["item_id"]))


def put(lake: Lake, rows: list[dict[str, Any]], model: str = "m") -> None:
    schema = pa.schema([pa.field(c.name, c.type) for c in EVALUATION_ITEMS.columns if c.name != "model"])
    replace_rows(lake, EVALUATION_ITEMS, model, pa.Table.from_pylist(rows, schema=schema))


def item(name: str, value: float = 1.0) -> dict[str, Any]:
    return {"evaluation_id": "e", "item_id": name, "value": value, "tokens": 1, "seconds": 0.5}


def evaluation(n: int) -> pa.Table:
    row = {
        "evaluation_id": "e",
        "model_hash": "h",
        "checkpoint_id": None,
        "benchmark": "b",
        "benchmark_version": "1",
        "metric": "loss",
        "value": 1.5,
        "n": n,
        "seconds": 1.0,
    }
    return pa.Table.from_pylist([row])


@settings(max_examples=12, deadline=None)
@given(st.lists(WRITE, max_size=4))
def test_a_partition_is_a_dictionary_by_key(writes: list[list[dict[str, Any]]]) -> None:
    with tempfile.TemporaryDirectory() as root:
        lake = lake_in(Path(root))
        model: dict[tuple[str, str], dict[str, Any]] = {}
        for rows in writes:
            put(lake, rows)
            for row in rows:
                key = (row["evaluation_id"], row["item_id"])
                there = model.get(key)
                same = there is not None and there["value"] == row["value"]
                model[key] = there if there is not None and same else row
        expected = [row | {"model": "m"} for _, row in sorted(model.items())]
        assert records(lake, EVALUATION_ITEMS, "m") == expected


def test_the_same_records_again_leave_the_log_alone(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    put(lake, [item("a"), item("b")])
    version = lake.head("evaluation_items").version
    put(lake, [item("b") | {"seconds": 9.0}])
    assert lake.head("evaluation_items").version == version


def test_partitions_are_apart(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    put(lake, [item("a")], "m1")
    put(lake, [item("a", 0.0)], "m2")
    assert [r["value"] for r in records(lake, EVALUATION_ITEMS, "m1")] == [1.0]


def test_many_writers_of_one_partition_lose_nothing(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: put(lake, [item(f"i{n}")]), range(6)))
    assert [r["item_id"] for r in records(lake, EVALUATION_ITEMS, "m")] == [f"i{n}" for n in range(6)]


def test_a_lost_race_leaves_no_file_behind(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    put(lake, [item("a")])
    calls = []

    def change(there: list[dict[str, Any]]) -> list[dict[str, Any]]:
        calls.append(len(there))
        if len(calls) == 1:
            put(lake, [item("b")])
        return [*there, item("c")]

    rewrite(lake, EVALUATION_ITEMS, "m", change)
    assert calls == [1, 2]
    assert [r["item_id"] for r in records(lake, EVALUATION_ITEMS, "m")] == ["a", "b", "c"]
    named = {f.path for v in range(20) for f in files_at(lake, v)}
    on_disk = {str(p.relative_to(tmp_path / "lake")) for p in (tmp_path / "lake").rglob("part-*.parquet")}
    assert on_disk == named


def test_a_commit_whose_answer_was_lost_keeps_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that repeats a put whose answer was lost is told that the object exists: it lost to itself."""
    lake = lake_in(tmp_path)
    put(lake, [item("a")])
    commit, calls = DeltaTable.create_write_transaction, []

    def landed(*args: Any, **options: Any) -> None:
        commit(*args, **options)
        calls.append(1)
        if len(calls) == 1:
            raise CommitFailedError("version already exists")

    monkeypatch.setattr(DeltaTable, "create_write_transaction", landed)
    put(lake, [item("b")])
    assert len(calls) == 1
    assert [r["item_id"] for r in records(lake, EVALUATION_ITEMS, "m")] == ["a", "b"]


def files_at(lake: Lake, version: int) -> list[Any]:
    newest = lake.head("evaluation_items").version
    assert newest is not None
    if version > newest:
        return []
    states = lake.head("evaluation_items", version).partitions.values()
    return [f for s in states for f in s.files]


def test_records_that_break_the_contract_change_nothing(tmp_path: Path) -> None:
    lake = lake_in(tmp_path)
    replace_rows(lake, EVALUATIONS, "m", evaluation(3))
    version = lake.head("evaluations").version
    cases = {
        "invariant `a score has items`": evaluation(0),
        "repeat a key": pa.concat_tables([evaluation(1), evaluation(2)]),
        "no column `extra`": evaluation(1).append_column("extra", pa.array([1])),
        "column `metric` is null in a record": evaluation(1).set_column(
            5, "metric", pa.array([None], pa.string())
        ),
    }
    for message, rows in cases.items():
        with pytest.raises(DataError, match=message):
            replace_rows(lake, EVALUATIONS, "m", rows)
    with pytest.raises(ConfigError, match="model `A B` cannot name a partition"):
        replace_rows(lake, EVALUATIONS, "A B", evaluation(1))
    assert lake.head("evaluations").version == version
    assert [r["n"] for r in records(lake, EVALUATIONS, "m")] == [3]
