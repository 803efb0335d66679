from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from small_lake import grown, lake_in, lose_a_row, publish_layer

from schemas.raw import RAW
from winnow.core.errors import DataError
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake
from winnow.lake.status import TableStatus, known_tables, table_status


def by_name(lake: Lake) -> dict[str, TableStatus]:
    return {status.table: status for status in table_status(lake)}


def test_an_empty_lake_has_every_table_and_nothing_in_it(tmp_path: Path):
    found = by_name(lake_in(tmp_path))
    assert list(found) == known_tables()
    assert {(s.version, s.partitions, s.rows, s.stale, s.fault) for s in found.values()} == {
        (None, 0, 0, (), None)
    }


def test_a_fresh_lake_is_counted_and_nothing_is_stale(tmp_path: Path):
    lake = grown(tmp_path)
    found = by_name(lake)
    assert {s.stale for s in found.values()} == {()}
    for table in set(LAYERS.values()) - {"preference_pairs"}:
        assert (found[table].rows, found[table].partitions) == (lake.head(table).rows, 2)
    assert found["verdicts_dedup"].partitions == 2


@pytest.mark.parametrize(
    ("stage", "layer", "next_layer"),
    [
        ("ingest", "raw", "conversations"),
        ("normalize", "conversations", "sanitized"),
        ("quality", "curated", "sft_train"),
    ],
)
def test_a_layer_under_a_newer_one_is_stale_and_says_what_to_do(
    tmp_path: Path, stage: str, layer: str, next_layer: str
):
    lake = grown(tmp_path)
    if stage == "ingest":
        _shrink_raw(lake)
    else:
        lose_a_row(lake, stage, "alpha")
    found = by_name(lake)
    stale = {name: status.stale for name, status in found.items() if status.stale}
    assert list(stale) == [next_layer]
    (said,) = stale[next_layer]
    assert said.startswith(f"{next_layer}/alpha was built from an older {layer}/alpha: materialize")
    assert f"`{next_layer}`" in said


def _shrink_raw(lake: Lake) -> None:
    rows = [row for b in lake.scan("raw", ["alpha"]) for row in b.to_pylist()]
    publish_layer(lake, "ingest", RAW, "alpha", len(rows) - 1, rows[1:], inputs={"records": "newer"})


def test_a_restricted_zone_that_cannot_be_read_is_a_fault_of_its_tables_only(tmp_path: Path):
    lake = grown(tmp_path)
    (tmp_path / "lake_raw").rename(tmp_path / "elsewhere")
    (tmp_path / "lake_raw").write_text("not a folder")
    found = by_name(lake)
    faulty = {name for name, status in found.items() if status.fault}
    assert faulty == {"raw", "conversations", "generations"}
    assert found["sanitized"].rows > 0


def test_a_foreign_table_in_the_open_zone_is_an_error(tmp_path: Path):
    lake = grown(tmp_path)
    write_deltalake(str(tmp_path / "lake" / "evaluations"), pa.table({"a": [1]}))
    with pytest.raises(DataError, match="written by something else"):
        table_status(lake)
