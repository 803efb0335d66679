from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from paired_lake import ALIGNED, add_dpo_checkpoint, paired
from small_lake import grown
from trained_lake import FIRST, SECOND, add_checkpoint, trained

from schemas.checkpoints import CHECKPOINTS
from winnow.core.errors import DataError
from winnow.core.identity import conversation_hash
from winnow.lake.checkpoint_rows import TRAINED_ROW, find_checkpoint, trained_rows
from winnow.lake.lake import Lake
from winnow.lake.records import replace_rows
from winnow.lake.release import scan_release
from winnow.lake.views import connect


def rows_of(lake: Lake, name: str, limit: int | None = None) -> list[dict]:
    batches = list(trained_rows(lake, find_checkpoint(lake, name), limit))
    assert all(batch.schema == TRAINED_ROW for batch in batches)
    return pa.Table.from_batches(batches, TRAINED_ROW).to_pylist()


def test_rows_come_in_training_order_as_the_release_holds_them(tmp_path: Path):
    lake, release = trained(tmp_path)
    held = [row for b in scan_release(lake, release, "sft_train") for row in b.to_pylist()]
    found = rows_of(lake, FIRST)
    assert [row["position"] for row in found] == list(range(2 * len(held)))
    assert {row["state"] for row in found} == {"ok"}
    for name in ("row_id", "source", "messages", "tools", "license", "content_hash"):
        assert [row[name] for row in found] == [row[name] for row in held[::-1] * 2]


def test_a_limit_takes_the_first_positions(tmp_path: Path):
    lake, _ = trained(tmp_path)
    assert rows_of(lake, SECOND[:8], 3) == rows_of(lake, SECOND)[:3]


def test_a_row_that_is_gone_or_altered_is_a_hole_in_its_place(tmp_path: Path):
    lake, release = trained(tmp_path)
    held = [row for b in scan_release(lake, release, "sft_train") for row in b.to_pylist()]
    gone = {**held[1], "row_id": "f" * 32}
    altered = {**held[0], "content_hash": "0" * 64}
    add_checkpoint(lake, release, "holes", [held[2], gone, altered])
    found = rows_of(lake, "holes")
    assert [row["state"] for row in found] == ["ok", "gone", "altered"]
    assert found[1]["row_id"] == "f" * 32
    assert found[1]["source"] == held[1]["source"]
    assert found[1]["messages"] is None
    assert found[2]["messages"] == held[0]["messages"]


def test_a_file_of_the_release_that_is_gone_is_an_error(tmp_path: Path):
    lake, release = trained(tmp_path)
    (file, *_) = next(iter(release.table("sft_train").partitions.values())).files
    (tmp_path / "lake" / file.path).unlink()
    with pytest.raises(DataError, match=f"Release {release.name} pins"):
        rows_of(lake, FIRST)


def test_a_name_must_be_one_checkpoint(tmp_path: Path):
    lake, _ = trained(tmp_path)
    assert find_checkpoint(lake, SECOND[:8])["checkpoint_id"] == SECOND
    with pytest.raises(DataError, match="2 checkpoints begin with `c0ffee`"):
        find_checkpoint(lake, "c0ffee")
    for name in ("", "nope"):
        with pytest.raises(DataError, match=r"No checkpoint|checkpoints begin"):
            find_checkpoint(lake, name)


def test_a_lake_without_checkpoints_says_so(tmp_path: Path):
    with pytest.raises(DataError, match="There is none yet"):
        find_checkpoint(grown(tmp_path), "c0")


def test_rows_of_a_checkpoint_of_preferences_are_its_pairs_with_both_answers(tmp_path: Path):
    found = paired(tmp_path)
    first, second = rows_of(found.lake, ALIGNED)
    assert (first["state"], first["position"], second["position"]) == ("ok", 0, 1)
    for name in ("row_id", "messages", "chosen", "rejected", "content_hash", "kind"):
        assert first[name] == found.pair[name], name
    assert {row["chosen"] for row in rows_of(found.lake, FIRST)} == {None}


@pytest.mark.parametrize("name", ["chosen", "rejected", "messages"])
def test_a_pair_whose_answer_or_prompt_differs_is_altered(tmp_path: Path, name: str):
    found = paired(tmp_path)
    changed = {**found.pair, name: "x"} if name != "messages" else {**found.pair, "messages": []}
    said = [{"role": "assistant", "content": changed[side]} for side in ("chosen", "rejected")]
    content = conversation_hash([*changed["messages"], *said], None)
    add_dpo_checkpoint(found.lake, [{**found.pair, "content_hash": content}], "e" * 32)
    assert [row["state"] for row in rows_of(found.lake, "e" * 32)] == ["altered"]


def test_a_table_of_an_earlier_contract_is_named_with_the_remedy(tmp_path: Path):
    """Checkpoints had no `method` once; a lake of that time is no internal error."""
    columns = tuple(c for c in CHECKPOINTS.columns if c.name not in ("method", "parent_checkpoint_id"))
    earlier = replace(CHECKPOINTS, columns=columns, invariants={})
    lake = grown(tmp_path)
    row = {c.name: None for c in columns} | {"checkpoint_id": FIRST, "model": "sft", "files": "[]"}
    row |= dict.fromkeys(("release", "release_hash", "base_hash", "config", "code_version"), "x")
    row |= {"row_order_hash": "o", "rows": 1, "tokens": 1, "steps": 1, "final_loss": 1.0, "wall_seconds": 1.0}
    row |= {"created_at": datetime.now(UTC)}
    replace_rows(lake, earlier, "sft", pa.Table.from_pylist([row], earlier.arrow_schema()))
    remedy = r"Table checkpoints in LAKE_ROOT=\S+ has other columns .* Move \S+checkpoints away"
    with pytest.raises(DataError, match=remedy):
        find_checkpoint(lake, FIRST)
    with pytest.raises(DataError, match=remedy):
        connect(lake)
