import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from small_lake import CHAIN, Row, conversation, grow, grown, lake_in, lose_a_row, publish_layer, sample

from schemas.rows import SANITIZED, SFT_TRAIN
from winnow.core.errors import ConfigError, DataError
from winnow.lake.lake import Lake
from winnow.lake.release import build_release, list_releases, load_release, scan_release
from winnow.lake.sweep import sweep


def rows_of(lake: Lake, release: Any, **options: Any) -> list[Row]:
    return [row for b in scan_release(lake, release, "sft_train", **options) for row in b.to_pylist()]


def trained_ids(lake: Lake) -> set[str]:
    return {i for b in lake.scan("sft_train", columns=["row_id"]) for i in b.column("row_id").to_pylist()}


def test_a_release_pins_the_bytes_that_lie_in_the_lake(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    release = build_release(lake, "first")
    files = [f for p in release.tables["sft_train"].partitions.values() for f in p.files]
    assert len(files) == 2
    for file in files:
        data = (tmp_path / "lake" / file.path).read_bytes()
        assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert {r["row_id"] for r in rows_of(lake, release, verify=True)} == trained_ids(lake)
    assert load_release(lake, "first") == release
    assert list_releases(lake) == ["first"]


def test_equal_rows_are_one_release_however_they_came_about(tmp_path: Path) -> None:
    straight, winding = grown(tmp_path / "one"), lake_in(tmp_path / "two")
    rows = sample()
    grow(winding, {"alpha": rows["alpha"][:5], "beta": rows["beta"]})
    grow(winding, rows, config={"newer": True})
    one, two = build_release(straight), build_release(winding)
    assert (one.name, one.content_hash) == (two.name, two.content_hash)
    assert one.tables["sft_train"].delta_version != two.tables["sft_train"].delta_version


@pytest.mark.parametrize("change", ["text", "license", "lost"])
def test_other_rows_are_another_release(tmp_path: Path, change: str) -> None:
    lake, rows = grown(tmp_path), sample()
    before = build_release(lake)
    last = rows["beta"].pop()
    if change != "lost":
        text = "question 5 of beta?" if change == "license" else "another question?"
        rows["beta"].append(conversation("beta", "k5", text, "GPL-3.0" if change == "license" else "MIT"))
        assert rows["beta"][-1]["row_id"] == last["row_id"]
    grow(lake, rows)
    assert build_release(lake).content_hash != before.content_hash


def test_a_release_outlives_its_table(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    release = build_release(lake, "kept")
    before = rows_of(lake, release)
    grow(lake, {"alpha": rows["alpha"][:1], "beta": []})
    sweep(lake, timedelta(0))
    assert rows_of(lake, load_release(lake, "kept"), verify=True) == before
    assert {r["row_id"] for r in before} > trained_ids(lake)


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone"])
def test_a_damaged_file_is_not_read_as_the_release(tmp_path: Path, damage: str) -> None:
    lake = grown(tmp_path)
    release = build_release(lake, "first")
    path = tmp_path / "lake" / release.tables["sft_train"].partitions["beta"].files[0].path
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-1] if damage == "cut" else data[:20] + bytes([data[20] ^ 1]) + data[21:])
    with pytest.raises(DataError, match=r"Release first pins .*source=beta"):
        rows_of(lake, release, verify=damage == "flipped")


@pytest.mark.parametrize("stage", [s for s, c in CHAIN if c.zone == "open" and s != "split"])
def test_a_layer_that_moved_on_is_named_with_what_mends_it(tmp_path: Path, stage: str) -> None:
    lake = grown(tmp_path)
    tables = [c.table for _, c in CHAIN]
    table = dict(CHAIN)[stage].table
    reader = tables[tables.index(table) + 1]
    lose_a_row(lake, stage, "beta")
    with pytest.raises(DataError, match=f"{reader}/beta was built from an older {table}/beta") as error:
        build_release(lake, "first")
    assert f"materialize asset `{reader}` for source beta" in str(error.value)
    assert "alpha" not in str(error.value)
    assert "\n" not in str(error.value)
    assert list_releases(lake) == []


def test_global_verdicts_answer_for_every_sanitized_source(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    rows = [conversation("gamma", "k", "text")]
    publish_layer(lake, "sanitize", SANITIZED, "gamma", 1, rows, inputs={"conversations/gamma": "0"})
    with pytest.raises(
        DataError, match="verdicts_dedup/_global never read the 1 rows of sanitized/gamma"
    ) as error:
        build_release(lake)
    assert "materialize asset `dedup_verdicts`" in str(error.value)
    assert "deduped/gamma never read" in str(error.value)
    assert build_release(lake, sources=["alpha", "beta"]).tables["sft_train"].rows == len(trained_ids(lake))


def test_a_source_that_never_reached_the_last_layer_is_named_there_only(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), {"gamma": [conversation("gamma", "k", "text")]}
    grow(lake, {**sample(), **rows}, until="quality")
    with pytest.raises(DataError) as error:
        build_release(lake)
    assert str(error.value) == (
        "Release refused: sft_train/gamma never read the 1 rows of curated/gamma: "
        "materialize asset `sft_train` for source gamma."
    )


def test_a_source_without_rows_holds_nothing_up(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    publish_layer(lake, "sanitize", SANITIZED, "gamma", 0, [], inputs={"conversations/gamma": "0"})
    assert build_release(lake).tables["sft_train"].partitions.keys() == {"alpha", "beta"}


def test_what_the_restricted_zone_did_since_is_no_concern_of_a_release(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    lose_a_row(lake, "normalize", "beta")
    build_release(lake, "first")


def test_a_taken_name_keeps_its_content(tmp_path: Path) -> None:
    lake, rows = grown(tmp_path), sample()
    first = build_release(lake, "daily")
    assert build_release(lake, "daily") == first
    grow(lake, {**rows, "beta": rows["beta"][:5]})
    with pytest.raises(DataError, match="Release daily exists with other content"):
        build_release(lake, "daily")
    assert load_release(lake, "daily") == first


def test_of_many_writers_of_a_name_all_get_the_one_that_stands(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    with ThreadPoolExecutor(6) as pool:
        built = list(pool.map(lambda _: build_release(lake, "race"), range(6)))
    assert {r.created_at for r in built} == {load_release(lake, "race").created_at}


def test_what_cannot_be_released_is_told_before_anything_is_written(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    with pytest.raises(ConfigError, match="Release `a/b` cannot name"):
        build_release(lake, "a/b")
    with pytest.raises(ConfigError, match="`conversations` is in the restricted zone"):
        build_release(lake, tables=["conversations"])
    with pytest.raises(DataError, match="sft_heldout was never published"):
        build_release(lake, tables=["sft_train", "sft_heldout"])
    assert list_releases(lake) == []


def test_a_release_that_is_not_there_or_was_altered_is_refused(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    build_release(lake, "weekly")
    with pytest.raises(DataError, match=r"There are weekly\. Did you mean `weekly`"):
        load_release(lake, "weakly")
    path = tmp_path / "lake" / "releases" / "weekly.json"
    manifest = json.loads(path.read_text())
    manifest["tables"]["sft_train"]["partitions"]["beta"]["data_version"] = "0" * 32
    path.write_text(json.dumps(manifest))
    with pytest.raises(DataError, match="altered"):
        load_release(lake, "weekly")
    path.write_text("{}")
    with pytest.raises(DataError, match="not a release manifest"):
        load_release(lake, "weekly")


def test_columns_and_sources_narrow_a_scan(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    release = build_release(lake, "first")
    rows = rows_of(lake, release, columns=["source", "row_id"], sources=["beta"])
    assert {r["source"] for r in rows} == {"beta"}
    assert list(rows[0]) == ["source", "row_id"]
    with pytest.raises(DataError, match=r"no column `rowid`.*Did you mean `row_id`"):
        rows_of(lake, release, columns=["rowid"])
    with pytest.raises(DataError, match="holds no table `curated`"):
        list(scan_release(lake, release, "curated"))


def test_the_manifest_lists_columns_in_contract_order(tmp_path: Path) -> None:
    release = build_release(grown(tmp_path), "first")
    assert [name for name, _, _ in release.tables["sft_train"].columns] == list(SFT_TRAIN.names)


@pytest.mark.parametrize("field", ["path", "size", "sha256"])
def test_a_manifest_with_another_file_is_refused(tmp_path: Path, field: str) -> None:
    lake = grown(tmp_path)
    release = build_release(lake)
    path = lake.zone("open").uri(f"releases/{release.name}.json")
    manifest = json.loads(Path(path).read_text())
    partition = next(iter(manifest["tables"]["sft_train"]["partitions"].values()))
    partition["files"][0][field] = 1 if field == "size" else "a" * 64
    Path(path).write_text(json.dumps(manifest))
    with pytest.raises(DataError, match="altered"):
        load_release(lake, release.name)
