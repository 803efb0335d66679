import json
import os
from pathlib import Path

from small_lake import lose_a_row
from trained_lake import FIRST, SECOND, contender, decision

from winnow.lake.registry import swap


def test_an_empty_lake_says_how_to_fill_it(winnow):
    answer = winnow("status")
    assert answer.code == 0
    assert answer.lines[-1].startswith("The lake is empty. Fill it: winnow demo")
    assert all(table["version"] is None for table in winnow("status", "--json").json["tables"])


def test_everything_in_the_lake_is_told(winnow, lake):
    opened, release = lake
    swap(opened, "sft", None, contender(release, FIRST), decision(FIRST, "base", "promote"))
    answer = winnow("status")
    for word in ("curated", release.name, FIRST, SECOND, "champion", "rejected\n  none"):
        assert word in answer.out
    assert "stale" not in answer.out
    told = winnow("status", "--json").json
    tables = {table["table"]: table for table in told["tables"]}
    assert tables["curated"]["rows"] == opened.head("curated").rows
    assert [c["checkpoint_id"] for c in told["checkpoints"]] == [FIRST, SECOND]
    assert [(a["alias"], a["checkpoint_id"]) for a in told["aliases"]] == [("champion", FIRST)]
    assert told["rejected"] == []


def test_what_is_stale_is_listed_with_its_remedy(winnow, lake):
    lose_a_row(lake[0], "quality", "beta")
    answer = winnow("status")
    assert "stale (1)" in answer.out
    assert "sft_train/beta was built from an older curated/beta: materialize" in answer.out


def test_sweep_removes_what_nothing_names_and_nothing_else(winnow, lake, tmp_path: Path):
    before = winnow("hash").out
    marker = next(tmp_path.glob("lake/curated/source=alpha/marker-*"))
    kept = winnow("sweep")
    assert kept.lines[-1] == "0 files, 0.0 MB removed"
    told = winnow("sweep", "--grace", 0, "--dry-run", "--json").json
    assert told["dry_run"]
    assert f"curated/source=alpha/{marker.name}" in {file["path"] for file in told["files"]}
    assert winnow("sweep", "--grace", 0, "--dry-run").lines[-1].endswith("would be removed")
    assert marker.exists()
    assert winnow("sweep", "--grace", 0).lines[-1].startswith(f"{len(told['files'])} files, ")
    assert not marker.exists()
    assert winnow("hash").out == before


def test_a_lake_that_cannot_be_read_is_one_line(winnow, tmp_path: Path):
    (tmp_path / "lake").write_text("a file")
    answer = winnow("status")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert "LAKE_ROOT" in answer.err
    assert json.dumps(os.environ["LAKE_ROOT"])[1:-1] in answer.err
