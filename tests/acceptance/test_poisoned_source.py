"""A source in which everything is wrong: each fault under its rule, nothing else stopped, nothing planted seen."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from planted_values import ALL, planted_texts, readable_by_anyone
from poison import CLEAN, EXPECTED, KEYLESS, PLANTED, clean_text, write_poison

from schemas.verdicts import STAGES
from winnow.core.identity import row_id
from winnow.lake.lake import Lake
from winnow.lake.settings import LakeSettings
from winnow.lake.verdicts import read_verdicts

pytestmark = pytest.mark.slow

SOURCES = """
sources:
  - {id: good, name: Good, kind: jsonl, location: GOOD, key: id}
  - {id: poisoned, name: Poisoned, kind: jsonl, location: POISONED, key: id}
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished run over a good source and the poisoned one, as a user would start it."""
    root = tmp_path_factory.mktemp("poison")
    (root / "in").mkdir()
    good, poisoned = root / "in" / "good.jsonl", root / "in" / "poisoned.jsonl"
    good.write_text(
        "".join(json.dumps({"id": n, "text": clean_text(9_000 + n)}) + "\n" for n in range(20)),
        encoding="utf-8",
    )
    write_poison(poisoned)
    text = SOURCES.replace("GOOD", str(good)).replace("POISONED", str(poisoned))
    (root / "sources.yaml").write_text(text, encoding="utf-8")
    places = {name: root / name for name in ("lake", "raw", "dagster", "work", "cache")}
    environment = {
        "LAKE_ROOT": places["lake"],
        "LAKE_RAW_ROOT": places["raw"],
        "DAGSTER_HOME": places["dagster"],
        "WINNOW_WORK": places["work"],
        "WINNOW_CACHE": places["cache"],
        "WINNOW_SOURCES": root / "sources.yaml",
    }
    done = subprocess.run(
        [sys.executable, "-m", "winnow.cli.main", "demo", "--profile", "tiny", "--no-train"],
        env={**os.environ, **{name: str(path) for name, path in environment.items()}},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (root / "output.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    return {**places, "output": root / "output.log"}


@pytest.fixture(scope="module")
def lake(places: dict[str, Path]) -> Lake:
    roots = {"LAKE_ROOT": str(places["lake"]), "LAKE_RAW_ROOT": str(places["raw"])}
    return Lake.open(LakeSettings.from_env(roots))


@pytest.fixture(scope="module")
def verdicts(lake: Lake) -> dict[str, list[dict[str, object]]]:
    return {
        stage: [row for batch in read_verdicts(lake, stage, "poisoned") for row in batch.to_pylist()]
        for stage in STAGES
    }


@pytest.mark.parametrize("key", sorted(EXPECTED))
def test_each_fault_stands_under_its_rule(key: str, verdicts: dict[str, list[dict[str, object]]]) -> None:
    stage, decision, rule = EXPECTED[key]
    names = {row_id("poisoned", key, "", occurrence) for occurrence in (0, 1)}
    found = [v for v in verdicts[stage] if v["row_id"] in names]
    assert [v["decision"] for v in found] == [decision]
    assert rule is None or found[0]["rule"] == rule
    if key == "humaneval":
        assert found[0]["matched_id"] == "humaneval:HumanEval/0"


@pytest.mark.parametrize(("stage", "decision", "rule"), sorted(KEYLESS))
def test_records_without_a_key_are_parked(
    stage: str, decision: str, rule: str, verdicts: dict[str, list[dict[str, object]]]
) -> None:
    assert [v["rule"] for v in verdicts[stage] if (v["decision"], v["rule"]) == (decision, rule)] == [rule]


def test_nothing_stops_the_clean_rows(lake: Lake) -> None:
    assert lake.head("curated").partitions["good"].rows == 20
    ids = {row_id("poisoned", f"clean-{n}", "", 0) for n in range(CLEAN)}
    found = {r for b in lake.scan("curated", ["poisoned"], ["row_id"]) for r in b["row_id"].to_pylist()}
    assert ids <= found


def test_rows_in_are_rows_kept_dropped_or_parked(lake: Lake) -> None:
    seen = set()
    for batch in lake.scan("stage_counts"):
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for row in batch.to_pylist():
            of = counts.setdefault((row["stage"], row["source"]), {})
            of[row["decision"]] = of.get(row["decision"], 0) + row["rows"]
        for key, of in counts.items():
            assert of["in"] == sum(n for decision, n in of.items() if decision != "in"), key
            seen.add(key[0])
    assert seen == set(STAGES)


def readable(root: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file as it is and, for Parquet, as its rows."""
    for path in root.rglob("*") if root.is_dir() else [root]:
        if path.is_file():
            yield path, path.read_bytes()
            if path.suffix == ".parquet":
                yield (
                    path,
                    json.dumps(pq.read_table(path).to_pylist(), default=str, ensure_ascii=False).encode(),
                )


@pytest.mark.parametrize("place", ["lake", "dagster", "cache", "work", "output"])
def test_no_planted_value_is_readable(place: str, places: dict[str, Path]) -> None:
    found = [
        (path.name, name)
        for path, data in readable(places[place])
        for name, value in {**dict(zip(PLANTED, PLANTED, strict=True)), **ALL}.items()
        if value.encode() in data or (name in ALL and readable_by_anyone(data, value))
    ]
    assert found == []


def test_every_planted_value_is_a_finding(lake: Lake) -> None:
    named = {row_id("poisoned", f"planted {name}", "", 0): name for name, _ in planted_texts()}
    found = {row for batch in lake.scan("findings", ["poisoned"]) for row in batch["row_id"].to_pylist()}
    assert [name for row, name in named.items() if row not in found] == []


def test_the_planted_values_are_in_the_restricted_root(places: dict[str, Path]) -> None:
    text = b"".join(data for _, data in readable(places["raw"]))
    assert all(value.encode() in text for value in PLANTED)
