import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from small_lake import batch, conversation, grow, grown, lake_in, lose_a_row, sample

from schemas.rows import CURATED
from winnow.core.errors import DataError
from winnow.lake.candidate import Candidate
from winnow.lake.lake import Lake
from winnow.lake.release import build_release, scan_release
from winnow.lake.sweep import sweep
from winnow.lake.views import connect

NOW = timedelta(0)
QUERIES = ("FROM sanitized", "FROM sft_train", "FROM verdicts", "FROM funnel", "FROM token_counts")


def answers(lake: Lake) -> list[list[tuple[object, ...]]]:
    with connect(lake) as sql:
        return [sql.execute(f"{query} ORDER BY ALL").fetchall() for query in QUERIES]


def files_in(root: Path) -> set[str]:
    return {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}


def grown_twice(root: Path) -> Lake:
    """A lake whose tables all have an old version."""
    lake, rows = grown(root), sample()
    grow(lake, {**rows, "beta": rows["beta"][:5]})
    return lake


def test_what_anyone_can_read_stays(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    release = build_release(lake, "first")
    rows = sample()
    grow(lake, {**rows, "beta": rows["beta"][:5]})
    before, pinned = answers(lake), list(scan_release(lake, release, "sft_train"))
    with connect(lake, release="first") as sql:
        funnel = sql.execute("FROM funnel ORDER BY ALL").fetchall()
    report = sweep(lake, NOW)
    assert report.files
    assert answers(lake) == before
    assert list(scan_release(lake, release, "sft_train", verify=True)) == pinned
    with connect(lake, release="first") as sql:
        assert sql.execute("FROM funnel ORDER BY ALL").fetchall() == funnel
    assert sweep(lake, NOW).files == ()


def test_versions_that_something_names_can_still_be_opened(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    release = build_release(lake, "first", sources=["alpha"])
    pinned = lake.head("sft_train", release.tables["sft_train"].delta_version)
    rows = [b.to_pylist() for b in lake.scan("sft_train", head=pinned)]
    grow(lake, {"alpha": sample()["alpha"], "beta": []})
    sweep(lake, NOW)
    assert [b.to_pylist() for b in lake.scan("sft_train", head=pinned)] == rows
    for table, stage in (("sanitized", "sanitize"), ("deduped", "dedup"), ("curated", "quality")):
        for state in lake.head(table).partitions.values():
            verdicts = lake.head(f"verdicts_{stage}", state.verdict_version)
            list(lake.scan(f"verdicts_{stage}", [state.source], head=verdicts))


def test_the_report_is_what_left_the_disk(tmp_path: Path) -> None:
    lake = grown_twice(tmp_path)
    before = files_in(tmp_path)
    sizes = {name: (tmp_path / name).stat().st_size for name in before}
    promised = sweep(lake, NOW, dry_run=True)
    assert files_in(tmp_path) == before
    done = sweep(lake, NOW)
    gone = before - files_in(tmp_path)
    roots = {"open": "lake", "restricted": "lake_raw"}
    assert {f"{roots[f.zone]}/{f.path}" for f in done.files} == gone
    assert done.bytes == sum(sizes[name] for name in gone)
    assert promised.files == done.files


def test_within_the_grace_period_nothing_goes(tmp_path: Path) -> None:
    lake = grown_twice(tmp_path)
    for path in tmp_path.rglob("*.parquet"):
        os.utime(path, (0, 0))
    assert sweep(lake).files == ()  # replaced a moment ago, however old the file


def test_files_of_others_are_never_touched(tmp_path: Path) -> None:
    lake = grown_twice(tmp_path)
    strangers = ["notes.txt", "part-00000-c000.snappy.parquet", "part-1.parquet", "sub/part-x.parquet"]
    for table in (
        "lake/sanitized/source=beta",
        "lake/sanitized",
        "lake_raw/_candidates/sanitized/beta/00000000",
    ):
        for name in strangers:
            path = tmp_path / table / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("mine")
    elsewhere = tmp_path / "lake" / "exports" / "part-00000.parquet"
    elsewhere.parent.mkdir()
    elsewhere.write_text("mine")
    before = {p for p in tmp_path.rglob("*") if p.is_file() and p.read_bytes() == b"mine"}
    sweep(lake, NOW)
    assert {p for p in before if p.exists()} == before


def test_abandoned_candidates_go_when_old_and_rejected_ones_stay(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    candidate = Candidate(lake, CURATED, "beta", "quality", "0" * 32, "1", {}, accounted=False)
    candidate.write_rows(batch(CURATED, [conversation("beta", "k", "text")]))
    candidate.close()
    rejected = tmp_path / "lake_raw" / "rejected" / "curated" / "beta" / "0badf00d" / "part-00000.parquet"
    rejected.parent.mkdir(parents=True)
    rejected.write_text("x")
    sweep(lake)
    assert (tmp_path / "lake_raw" / candidate.folder).exists()
    report = sweep(lake, NOW)
    assert {f.why for f in report.files if f.zone == "restricted"} >= {"abandoned candidate"}
    assert not (tmp_path / "lake_raw" / candidate.folder).exists()
    assert rejected.exists()


def test_what_killed_processes_left_in_the_restricted_zone_goes_when_old(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    left = [
        tmp_path / "lake_raw" / name
        for name in (
            "_spill/winnow-audit-x/t.tmp",
            "_spill_7_0badf00d/t.tmp",
            "_cache/s/i/b.results.1.writing",
        )
    ]
    kept = tmp_path / "lake_raw" / "_cache/s/i/b.results"
    for path in (*left, kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"text")
    assert not [f for f in sweep(lake).files if f.zone == "restricted"]
    sweep(lake, NOW)
    assert [path.exists() for path in (*left, kept)] == [False, False, False, True]


def test_a_lost_copy_goes_and_the_table_stays(tmp_path: Path) -> None:
    lake = grown(tmp_path)
    before = answers(lake)
    folder = tmp_path / "lake" / "sanitized" / "source=beta"
    lost = [
        folder / "_incoming-0badf00d-00000.parquet",
        folder / f"part-{'1' * 32}-{'2' * 32}-v1-0badf00d-00000.parquet",
    ]
    never = tmp_path / "lake" / "sft_heldout" / "source=beta" / lost[1].name
    never.parent.mkdir(parents=True)
    for path in (*lost, never):
        path.write_bytes(b"half")
    assert not {str(p) for p in lost} & {f.path for f in sweep(lake, timedelta(hours=1)).files}
    assert all(path.exists() for path in (*lost, never))
    sweep(lake, NOW)
    assert not any(path.exists() for path in (*lost, never))
    assert answers(lake) == before


def test_a_release_that_cannot_be_read_stops_the_sweep_before_anything_goes(tmp_path: Path) -> None:
    lake = grown_twice(tmp_path)
    before = files_in(tmp_path)
    (tmp_path / "lake" / "releases").mkdir()
    (tmp_path / "lake" / "releases" / "bad.json").write_text("{}")
    with pytest.raises(DataError, match=r"bad\.json is not a release manifest"):
        sweep(lake, NOW)
    assert before <= files_in(tmp_path)


CRASH = """
import sys
from pathlib import Path
from small_lake import lake_in, lose_a_row
lose_a_row(lake_in(Path(sys.argv[1])), sys.argv[2], "beta")
"""


@pytest.mark.parametrize("point", ["copied", "verdicts-committed", "counts-committed", "before-layer-commit"])
def test_after_a_crash_the_old_state_is_explained_and_the_rest_swept(tmp_path: Path, point: str) -> None:
    """Verdicts and counts are committed before their layer; until it follows, nobody may see them."""
    lake = grown(tmp_path)
    before = answers(lake)
    support = Path(__file__).parents[2] / "support"
    env = {**os.environ, "WINNOW_CRASH_AT": point, "PYTHONPATH": f"{Path(__file__).parents[3]}:{support}"}
    done = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path), "quality"], env=env, check=False)
    assert done.returncode == -9
    assert answers(lake) == before
    assert sweep(lake, NOW).files
    assert answers(lake) == before
    lost = lose_a_row(lake_in(tmp_path), "quality", "beta")
    with connect(lake) as sql:
        found = sql.execute("FROM verdicts SELECT stage, rule WHERE row_id = ?", [lost]).fetchall()
    assert found == [("quality", "newer")]
    sweep(lake, NOW)
    assert not list((tmp_path / "lake").rglob("_incoming-*"))
