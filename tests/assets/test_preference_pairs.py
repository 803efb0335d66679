"""The asset: real rows, a real lake, a real sandbox; what is unchanged is not run again."""

from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from documented_rows import row
from pair_lake import curated_lake, documented_rows, pairs_of
from small_lake import conversation, grow

from assets.graph import asset_definitions, asset_resources
from assets.preference_pairs import build_preference_pairs, needs_sandbox
from benchmarks.pairs_again import run_again
from schemas.preference import PREFERENCE_PAIRS
from winnow.core.errors import ConfigError
from winnow.curation.preference import PreferenceConfig
from winnow.lake.lake import Lake
from winnow.lake.verdicts import read_verdicts
from winnow.sandbox import unavailable

CONFIG = "preference: {example_seconds: 2, mutants_tried: 3, hash_seeds: [0, 1], heldout_fraction: 0.5}\n"

with_sandbox = pytest.mark.skipif(bool(unavailable()), reason=f"no sandbox here: {unavailable()}")


def rows() -> dict[str, list[dict[str, Any]]]:
    """Two sources of small packages; some rows have no doctest, one is of a version that is not installed."""
    made = {
        "tools": documented_rows("tools", ["sortedcontainers", "validators"], 6),
        "more": documented_rows("more", ["markupsafe", "packaging", "humanfriendly"], 5),
    }
    old = made["tools"][0]
    old["meta"] = old["meta"].replace('"version":"', '"version":"0.')
    return made


@pytest.fixture(scope="module")
def made() -> dict[str, list[dict[str, Any]]]:
    return rows()


@pytest.fixture
def lake(tmp_path: Path, made: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch) -> Lake:
    (tmp_path / "winnow.yaml").write_text(CONFIG)
    monkeypatch.setenv("WINNOW_CONFIG", str(tmp_path / "winnow.yaml"))
    return curated_lake(tmp_path, made, monkeypatch)


def materialized() -> dict[str, Any]:
    result = dg.materialize(
        asset_definitions(),
        selection=["preference_pairs"],
        resources=asset_resources(),
        instance=dg.DagsterInstance.ephemeral(),
    )
    (event,) = result.get_asset_materialization_events()
    (check,) = result.get_asset_check_evaluations()
    assert check.passed
    return {k: v.value for k, v in event.materialization.metadata.items()}


@with_sandbox
def test_rows_in_are_parents_of_proven_pairs_or_dropped_and_a_second_run_runs_nothing(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
):
    told = materialized()
    pairs = pairs_of(lake)
    assert not told["skipped"]
    assert told["dagster/row_count"] == told["pairs_train"] + told["pairs_heldout"] == len(pairs) > 5
    assert Counter(p["split"] for p in pairs) == {
        "train": told["pairs_train"],
        "heldout": told["pairs_heldout"],
    }
    for source, state in lake.head("curated").partitions.items():
        dropped = [v for b in read_verdicts(lake, "preference", source) for v in b.to_pylist()]
        parents = [p["parent_row_id"] for p in pairs if p["source"] == source]
        came = [r for b in lake.scan("curated", [source], ["row_id"]) for r in b["row_id"].to_pylist()]
        assert sorted([*parents, *(v["row_id"] for v in dropped)]) == sorted(came)
        assert len(came) == state.rows
        rules = {v["rule"] for v in dropped}
        assert rules >= ({"no-doctest", "other-version"} if source == "tools" else {"no-doctest"})
    sides = {p["distribution"]: p["split"] for p in pairs}
    assert all(sides[p["distribution"]] == p["split"] for p in pairs)

    for chosen, rejected in run_again(pairs, PreferenceConfig(example_seconds=2)):
        assert chosen.passed
        assert rejected.failed

    monkeypatch.setenv("PATH", "")
    assert unavailable()
    assert not needs_sandbox(lake)
    again = materialized()
    assert again["skipped"]
    assert again["partitions_written"] == 0
    assert pairs_of(lake) == pairs


@with_sandbox
def test_a_source_that_changes_leaves_the_other_as_it_is(lake: Lake, made: dict[str, list[dict[str, Any]]]):
    few = {source: rows[:4] for source, rows in made.items()}
    grow(lake, few, until="quality")
    first = {r.state.source: r.state for r in build_preference_pairs(lake, 1, lambda said: None)}
    assert not needs_sandbox(lake)
    grow(lake, {**few, "more": made["more"][:7]}, until="quality")
    assert needs_sandbox(lake)
    reports = build_preference_pairs(lake, 2, lambda said: None)
    assert {r.state.source: r.written for r in reports} == {"tools": False, "more": True}
    assert {r.state.source: r.state for r in reports}["tools"] == first["tools"]
    assert all(r.contract is PREFERENCE_PAIRS for r in reports)


def install(folder: Path, version: str) -> None:
    """A distribution `some-helper` with the module `helper`."""
    metadata = folder / "some_helper.dist-info"
    metadata.mkdir(parents=True, exist_ok=True)
    (folder / "helper.py").write_text("")
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: some-helper\nVersion: {version}\n")
    (metadata / "RECORD").write_text("helper.py,,\nsome_helper.dist-info/METADATA,,\n")


@with_sandbox
def test_an_upgrade_runs_again_what_imports_it_and_nothing_else(
    lake: Lake, made: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    text = 'def f(a):\n    """Says a.\n\n    >>> import helper\n    >>> f(1)\n    1\n    """\n    return a'
    imports_it = row(
        text, "sortedcontainers/f.py", None, "sortedcontainers", version("sortedcontainers"), "tools"
    )
    install(tmp_path / "site", "1")
    monkeypatch.syspath_prepend(tmp_path / "site")
    grow(lake, {"tools": [imports_it, *made["tools"][:2]], "more": made["more"][:3]}, until="quality")
    build_preference_pairs(lake, 2, lambda said: None)
    assert not needs_sandbox(lake)
    install(tmp_path / "site", "2")
    assert needs_sandbox(lake)
    reports = build_preference_pairs(lake, 2, lambda said: None)
    assert {r.state.source: r.written for r in reports} == {"tools": True, "more": False}


def test_without_a_sandbox_the_remedy_is_told_and_nothing_is_written(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match="no sandbox starts here: bubblewrap is missing"):
        build_preference_pairs(lake, 1, lambda said: None)
    assert lake.head("preference_pairs").partitions == {}
    assert needs_sandbox(lake)


def test_rows_without_a_function_to_run_need_no_sandbox(lake: Lake, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    grow(
        lake, {source: [conversation(source, "k", "hello")] for source in ("tools", "more")}, until="quality"
    )
    assert not needs_sandbox(lake)
    assert [r.state.rows for r in build_preference_pairs(lake, 1, lambda said: None)] == [0, 0]
