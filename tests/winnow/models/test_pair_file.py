from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from preferences import counting, pair, write_pairs

from winnow.core.errors import ConfigError, DataError
from winnow.models.pair_file import PairFile


def test_pairs_come_by_hash_and_are_read_in_the_order_asked(tmp_path: Path) -> None:
    pairs = counting(9)
    one = PairFile(write_pairs(tmp_path / "a.parquet", pairs))
    two = PairFile(write_pairs(tmp_path / "b.parquet", pairs[::-1]))
    ids = one.ordered_ids(seed=1)
    assert ids == two.ordered_ids(seed=1) != one.ordered_ids(seed=2)
    assert sorted(ids) == [p["row_id"] for p in pairs]
    assert one.ordered_ids(seed=1, limit=4) == ids[:4]
    asked = ids[3:6]
    found = one.read(asked)
    by_id = {p["row_id"]: p for p in pairs}
    assert [p.row_id for p in found] == asked
    assert [(p.chosen, p.rejected) for p in found] == [
        (by_id[i]["chosen"], by_id[i]["rejected"]) for i in asked
    ]
    assert found[0].messages[0]["content"] == by_id[asked[0]]["messages"][0]["content"]


def test_a_missing_answer_is_an_empty_one(tmp_path: Path) -> None:
    file = PairFile(write_pairs(tmp_path / "p.parquet", [pair("a" * 32, "x", None, "y")]))
    assert [(p.chosen, p.rejected) for p in file.read(["a" * 32])] == [("", "y")]


def test_groups_are_values_and_without_one_a_pair_is_alone(tmp_path: Path) -> None:
    pairs = [
        pair("a" * 32, "x", "1", "2", meta='{"distribution": "d"}'),
        pair("b" * 32, "x", "1", "2", meta='{"other": 1}'),
        pair("c" * 32, "x", "1", "2", meta="no json"),
        pair("d" * 32, "x", "1", "2"),
    ]
    file = PairFile(write_pairs(tmp_path / "p.parquet", pairs))
    ids = [p["row_id"] for p in pairs]
    assert file.groups(ids[::-1], "meta.distribution") == [*ids[:0:-1], "d"]
    assert file.groups(ids, "source") == ["counting"] * 4
    with pytest.raises(ConfigError, match=r"no pair .* has a value of `meta\.nothing`"):
        file.groups(ids, "meta.nothing")
    with pytest.raises(DataError, match="no column nothing"):
        file.groups(ids, "nothing")


def test_what_is_no_file_of_pairs_says_so(tmp_path: Path) -> None:
    twice = write_pairs(tmp_path / "twice.parquet", [pair("a" * 32, "x", "1", "2")] * 2)
    with pytest.raises(DataError, match=r"a{32} stands twice"):
        PairFile(twice).ordered_ids(seed=0)
    with pytest.raises(DataError, match="no such file"):
        PairFile(tmp_path / "none.parquet").ordered_ids(seed=0)
    text = tmp_path / "text.parquet"
    text.write_text("no parquet")
    with pytest.raises(DataError, match=r"text\.parquet: no Parquet file"):
        PairFile(text).ordered_ids(seed=0)
    bare = tmp_path / "bare.parquet"
    pq.write_table(pa.table({"row_id": ["a"]}), bare)
    with pytest.raises(DataError, match="no column chosen, content_hash, messages, meta, rejected, source"):
        PairFile(bare).read(["a"])
