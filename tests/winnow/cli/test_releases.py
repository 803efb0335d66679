import json
from pathlib import Path

import pyarrow.parquet as pq
from trained_lake import FIRST, add_checkpoint

from winnow.lake.content_hash import hash_table
from winnow.lake.contracts import contract_of
from winnow.lake.release import scan_release


def test_hash_is_a_line_a_table_and_release(winnow, lake):
    opened, release = lake
    answer = winnow("hash")
    found = {name: (digest, int(rows)) for digest, rows, name in map(str.split, answer.lines)}
    assert found[f"release:{release.name}"] == (release.content_hash, 7)
    for table in ("raw", "sft_train", "verdicts_dedup", "stage_counts", "checkpoint_rows"):
        expected = hash_table(opened, contract_of(table))
        assert found[table] == (expected.hexdigest, expected.rows)
    assert "evaluations" not in found
    named = winnow("hash", "curated", f"release:{release.name}", "--json").json
    assert [line["table"] for line in named] == ["curated", f"release:{release.name}"]
    assert set(named[0]["sources"]) == {"alpha", "beta"}


def test_hash_of_what_is_not_there(winnow, lake):
    assert "Did you mean `sft_train`" in winnow("hash", "sft_tran").err
    assert "No release `nope`" in winnow("hash", "release:nope").err
    assert winnow("hash", "evaluations").lines[0].split()[1:] == ["0", "evaluations"]


def test_hash_of_an_empty_lake_is_nothing(winnow):
    assert (winnow("hash").out, winnow("hash", "--json").json) == ("", [])


def test_releases_are_listed_and_shown(winnow, lake):
    _, release = lake
    (listed,) = winnow("releases", "--json").json
    assert (listed["release"], listed["rows"], listed["tables"]) == (release.name, 7, "sft_train")
    assert release.name in winnow("releases").out
    shown = winnow("releases", release.name).out
    for word in (release.content_hash, "alpha", "beta", "verdicts_dedup"):
        assert word in shown
    assert winnow("releases", release.name, "--json").json == release.model_dump(mode="json")
    assert winnow("releases", "nope").code == 1


def test_a_lake_without_a_release_says_so(winnow):
    assert winnow("releases").out.startswith("There is no release yet")


def test_rows_of_a_checkpoint_in_order(winnow, lake):
    opened, release = lake
    held = [row for b in scan_release(opened, release, "sft_train") for row in b.to_pylist()]
    answer = winnow("rows", FIRST[:8])
    assert answer.code == 0
    assert [line.split()[1] for line in answer.lines] == [row["row_id"] for row in held[::-1] * 2]
    assert answer.lines[0].endswith(held[-1]["messages"][0]["content"])
    assert answer.err == (
        f"14 rows (of 7 different ones) of release {release.name}: 14 found, every content hash matches\n"
    )
    whole = [json.loads(line) for line in winnow("rows", FIRST, "--json", "--limit", 3).lines]
    assert [row["position"] for row in whole] == [0, 1, 2]
    assert whole[0]["messages"] == held[-1]["messages"]


def test_rows_into_a_parquet_file(winnow, lake, tmp_path: Path):
    out = tmp_path / "rows.parquet"
    answer = winnow("rows", FIRST, "--out", out)
    assert (answer.code, answer.out) == (0, "")
    assert pq.read_table(out)["position"].to_pylist() == list(range(14))
    assert winnow("rows", FIRST, "--out", tmp_path / "no" / "rows.parquet").code == 1
    assert winnow("rows", FIRST, "--out", out, "--json").code == 1


def test_a_hole_is_reported_in_its_place(winnow, lake):
    opened, release = lake
    held = [row for b in scan_release(opened, release, "sft_train") for row in b.to_pylist()]
    add_checkpoint(opened, release, "holes", [held[0], {**held[1], "row_id": "f" * 32}])
    answer = winnow("rows", "holes")
    assert answer.code == 1
    assert answer.lines[1].split()[1:] == ["f" * 32, "alpha", "(gone)"]
    assert answer.err.endswith("1 found, HOLES: 1 gone\n")


def test_an_unknown_checkpoint_is_one_line(winnow, lake):
    answer = winnow("rows", "nope")
    assert (answer.code, answer.err.count("\n")) == (1, 1)
    assert FIRST in answer.err
