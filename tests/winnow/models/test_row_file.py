import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.rows import SFT_TRAIN
from winnow.core.errors import DataError
from winnow.models.row_file import RowFile, shuffled

ids = st.lists(st.text("0123456789abcdef", min_size=1, max_size=6), unique=True)


def rows(count: int) -> list[dict[str, Any]]:
    return [
        {
            "row_id": f"{n:032x}",
            "parent_row_id": None,
            "source": "s",
            "source_revision": "1",
            "kind": "code" if n % 3 else "sft",
            "messages": [{"role": "assistant", "content": f"text {n}"}],
            "tools": None,
            "content_hash": f"{n:064x}",
        }
        for n in range(count)
    ]


def jsonl(path: Path, content: list[dict[str, Any]]) -> RowFile:
    path.write_text("".join(json.dumps(r) + "\n" for r in content))
    return RowFile(path)


@given(ids, st.randoms(), st.integers(0, 9))
def test_the_order_is_that_of_the_ids_not_of_the_file(names: list[str], rng: Any, seed: int) -> None:
    other = list(names)
    rng.shuffle(other)
    assert shuffled(names, seed) == shuffled(other, seed)
    assert sorted(shuffled(names, seed)) == sorted(names)


@given(ids.filter(lambda names: len(names) > 1), st.integers(0, 9))
def test_a_row_that_leaves_moves_no_other(names: list[str], seed: int) -> None:
    assert shuffled(names[1:], seed) == [n for n in shuffled(names, seed) if n != names[0]]


def test_seeds_and_epochs_give_other_orders() -> None:
    names = [str(n) for n in range(50)]
    assert len({tuple(shuffled(names, seed, epoch)) for seed in (0, 1) for epoch in (0, 1)}) == 4


def test_parquet_and_json_lines_hold_the_same_rows(tmp_path: Path) -> None:
    content = rows(2_000)
    pq.write_table(
        pa.Table.from_pylist(content, schema=SFT_TRAIN.arrow_schema()),
        tmp_path / "r.parquet",
        row_group_size=100,
    )
    table, lines = RowFile(tmp_path / "r.parquet"), jsonl(tmp_path / "r.jsonl", content)
    chosen = table.ordered_ids(1, ("sft",), 50)
    assert chosen == lines.ordered_ids(1, ("sft",), 50)
    assert chosen == lines.ordered_ids(1, ("sft",))[:50]
    read = table.read(chosen)
    assert [r.row_id for r in read] == chosen
    assert [(r.content_hash, r.messages[0]["content"]) for r in read] == [
        (r.content_hash, r.messages[0]["content"]) for r in lines.read(chosen)
    ]


def test_faults_of_the_file_are_named(tmp_path: Path) -> None:
    content = rows(3)
    with pytest.raises(DataError, match=f"row_id {content[0]['row_id']} stands twice"):
        jsonl(tmp_path / "a.jsonl", [*content, content[0]]).ordered_ids(0)
    with pytest.raises(DataError, match="no column kind"):
        jsonl(tmp_path / "b.jsonl", [{"row_id": "1"}]).ordered_ids(0, ("sft",))
    (tmp_path / "c.jsonl").write_text('{"row_id": "1"}\n{"row_')
    with pytest.raises(DataError, match="line 2"):
        RowFile(tmp_path / "c.jsonl").ordered_ids(0)
    pq.write_table(pa.table({"row_id": ["1"]}), tmp_path / "d.parquet")
    with pytest.raises(DataError, match="content_hash, messages, source"):
        RowFile(tmp_path / "d.parquet").read(["1"])
