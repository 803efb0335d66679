import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

STAGES = ["normalize", "sanitize", "dedup", "decontaminate", "quality"]
FORM = ["id", "decision", "rule", "rules", "score", "matched_id", "spans", "output"]
HOSTILE = Path(__file__).parents[4] / "shared" / "cases" / "hostile" / "make_hostile.py"
MAIN = "from winnow.cli.main import main; main()"


def written(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def objects(text: str) -> list[dict]:
    found = [json.loads(line) for line in text.split("\n")[:-1]]
    assert all(list(row) == FORM for row in found)
    assert all((row["output"] is None) == (row["decision"] in ("drop", "park")) for row in found)
    return found


def try_in_a_process(*arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAIN, "try", *map(str, arguments)]
    environment = {**os.environ, "WINNOW_WORKERS": "1", **env}
    return subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment)


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_answers_on_stdout_and_sums_up_on_stderr(winnow, tmp_path: Path, stage: str):
    rows = [{"id": "a", "text": "x y"}, {"id": 2, "messages": [{"role": "user", "content": "q"}]}, 5]
    answer = winnow("try", stage, written(tmp_path / "rows.jsonl", rows))
    assert answer.code == 0
    assert [row["id"] for row in objects(answer.out)] == ["a", 2, "line:3"]
    assert answer.err.startswith(f"{stage}: 3 rows: 2 keep, 0 redact, 0 drop, 1 park; ")


def test_no_lake_is_made_or_read(winnow, tmp_path: Path):
    winnow("try", "sanitize", written(tmp_path / "rows.jsonl", [{"id": 1, "text": "x"}]))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "rows.jsonl"]


def test_out_is_a_file_but_never_the_one_that_is_read(winnow, tmp_path: Path):
    data = written(tmp_path / "rows.jsonl", [{"id": 1, "text": "x"}])
    answer = winnow("try", "sanitize", data, "--out", tmp_path / "out.jsonl")
    assert (answer.code, answer.out) == (0, "")
    assert objects((tmp_path / "out.jsonl").read_text())[0]["id"] == 1
    before = data.read_bytes()
    for out in (data, tmp_path / "no" / "out.jsonl"):
        refused = winnow("try", "sanitize", data, "--out", out)
        assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert data.read_bytes() == before


def test_a_configuration_is_read_from_a_file_or_from_the_environment(winnow, tmp_path: Path, monkeypatch):
    words = " ".join(f"w{n}" for n in range(40))
    data = written(tmp_path / "r.jsonl", [{"id": 1, "text": words}, {"id": 2, "text": words + " more"}])
    (tmp_path / "strict.yaml").write_text("dedup:\n  threshold: 1.0\n")

    def decisions(*more: object) -> list[str]:
        return [row["decision"] for row in objects(winnow("try", "dedup", data, *more).out)]

    assert decisions() == ["keep", "drop"]
    assert decisions("--config", tmp_path / "strict.yaml") == ["keep", "keep"]
    monkeypatch.setenv("WINNOW_CONFIG", str(tmp_path / "strict.yaml"))
    assert decisions() == ["keep", "keep"]
    (tmp_path / "bad.yaml").write_text("dedup:\n  thresold: 1.0\n")
    refused = winnow("try", "dedup", data, "--config", tmp_path / "bad.yaml")
    assert refused.code == 1
    assert "Did you mean `threshold`" in refused.err


def test_benchmarks_replace_the_built_in_ones(winnow, tmp_path: Path):
    words = " ".join(f"w{n}" for n in range(40))
    bench = written(tmp_path / "mine.jsonl", [{"id": "q", "prompt": words}])
    data = written(tmp_path / "rows.jsonl", [{"id": 1, "text": words}])
    (row,) = objects(winnow("try", "decontaminate", data, "--benchmarks", bench).out)
    assert (row["decision"], row["matched_id"]) == ("drop", "mine:q")
    (row,) = objects(winnow("try", "decontaminate", data).out)
    assert row["decision"] == "keep"
    assert winnow("try", "quality", data, "--benchmarks", bench).code == 1


@pytest.mark.parametrize("arguments", [("nope", "x"), ("sanitize",)])
def test_wrong_usage_is_2(winnow, arguments: tuple[str, ...]):
    assert winnow("try", *arguments).code == 2


def test_data_that_is_not_there_is_one_line(winnow, tmp_path: Path):
    answer = winnow("try", "dedup", tmp_path / "nope.jsonl")
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path):
    data = written(tmp_path / "rows.jsonl", [{"id": n, "text": "x" * 500} for n in range(4000)])
    command = [sys.executable, "-c", MAIN, "try", "normalize", str(data)]
    env = {**os.environ, "WINNOW_WORKERS": "1"}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    assert b"Traceback" not in child.stderr.read()
    assert child.wait(60) not in (0, -signal.SIGPIPE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    if not HOSTILE.exists():
        pytest.skip("the maker of hostile files is not here")
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([sys.executable, str(HOSTILE), str(folder)], check=True, capture_output=True, timeout=120)
    return folder


BROKEN_FILES = {
    "crc_bad.jsonl.gz",
    "trailing_garbage.jsonl.gz",
    "truncated.jsonl.gz",
    "dup_columns.parquet",
    "magic_only.parquet",
    "not_parquet.parquet",
    "truncated.parquet",
}
"""What cannot be read to its end: an error of one line, and no row is made up for it."""


def rows_in(path: Path) -> int | None:
    """Records of a hostile file, counted without the code under test; None where another reader must say."""
    if path.is_dir():
        return sum(p.is_file() for p in path.iterdir())
    if path.suffix == ".jsonl" and not path.read_bytes().startswith(b"\x1f\x8b"):
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
        return sum(bool(line.strip()) for line in lines)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_hostile_data_comes_out_row_for_row(winnow, hostile: Path, stage: str, tmp_path: Path):
    few = [
        "--benchmarks",
        written(tmp_path / "few.jsonl", [{"id": "q", "prompt": "a question of few words"}]),
    ]
    data = [
        hostile / "code",
        *(p for d in ("jsonl", "gz", "parquet") for p in sorted((hostile / d).iterdir())),
    ]
    counts: dict[str, int] = {}
    for path in data:
        answer = winnow("try", stage, path, *(few if stage == "decontaminate" else []))
        assert answer.err.count("\n") == 1, path
        if path.name in BROKEN_FILES:
            assert (answer.code, answer.err.startswith("error: ")) == (1, True), path
            continue
        assert answer.code == 0, (path, answer.err)
        counts[path.name] = len(objects(answer.out))
        assert counts[path.name] == (rows_in(path) if rows_in(path) is not None else counts[path.name]), path
    assert len(counts) == len(data) - len(BROKEN_FILES)
    assert counts["many_row_groups.parquet"] == 2000
    assert counts["bomb_50mb.gz"] == 1


@pytest.mark.parametrize("stage", STAGES)
def test_hostile_files_by_the_command_itself(hostile: Path, stage: str, tmp_path: Path):
    result = try_in_a_process(stage, hostile / "code", WINNOW_CACHE=str(tmp_path / "cache"))
    assert (result.returncode, result.stderr.count("\n")) == (0, 1), result.stderr
    assert len(objects(result.stdout)) == rows_in(hostile / "code")
    assert not (tmp_path / "cache" / "logs").exists()


def test_sanitize_takes_the_settings_of_the_sanitizer_alone(winnow, tmp_path: Path):
    data = written(tmp_path / "r.jsonl", [{"id": 1, "text": "mail ann.lee@site.io"}])
    (tmp_path / "sanitize.yaml").write_text("policies: {email_address: drop}\n")
    (tmp_path / "winnow.yaml").write_text("sanitize: {policies: {email_address: drop}}\n")
    for name in ("sanitize.yaml", "winnow.yaml"):
        (row,) = objects(winnow("try", "sanitize", data, "--config", tmp_path / name).out)
        assert (row["decision"], row["output"]) == ("drop", None)
    (tmp_path / "typo.yaml").write_text("polices: {}\n")
    assert "polices" in winnow("try", "sanitize", data, "--config", tmp_path / "typo.yaml").err
