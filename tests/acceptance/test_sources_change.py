"""Sources that change between runs: what is computed, what is rewritten, what returns, what releases keep."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dagster_told import told
from demo_run import Places
from lake_laws import accounts_for_every_row, content, files_of, rewritten
from plain_duckdb import OPEN_LAYERS, PlainDuckDB
from seaweed import Seaweed
from written_sources import WrittenSources, original, originals

from winnow.lake.content_hash import hash_table
from winnow.lake.contracts import contract_of
from winnow.lake.release import list_releases, load_release, scan_release

pytestmark = pytest.mark.slow
ROWS = {"alpha": 1000, "beta": 400, "gamma": 400}
CHANGED = [f"alpha-{number}" for number in (3, *range(100, 109))]
"""One in a hundred rows of alpha; `beta-3` is a copy of the first as it was. None of them is held out."""
CACHED = ("sanitized", "decontaminated", "curated")
LAKE_TABLES = ("raw", "conversations", "sanitized", "deduped", "decontaminated", "curated", "sft_train")


def sources_in(folder: Path) -> WrittenSources:
    """Alpha; beta, whose first ten rows are copies of alpha's; gamma, with ten copies of beta's next rows."""
    written = WrittenSources(folder)
    alpha, beta, gamma = (originals(name, count) for name, count in ROWS.items())
    beta |= {f"beta-{n}": alpha[f"alpha-{n}"] for n in range(10)}
    gamma |= {f"gamma-{n}": beta[f"beta-{n + 20}"] for n in range(10)}
    for name, rows in (("alpha", alpha), ("beta", beta), ("gamma", gamma)):
        written.put(name, rows)
    return written


@dataclass(frozen=True)
class Step:
    """The lake after one run: files of every partition, rows of every layer, what Dagster was told."""

    files: dict[tuple[str, str], tuple[str, ...]]
    rows: dict[tuple[str, str], frozenset[str]]
    metadata: dict[tuple[str, str], dict[str, Any]]
    releases: list[str]

    def skipped(self) -> list[bool]:
        return [bool(values["skipped"]) for values in self.metadata.values()]


def step(places: Places, written: WrittenSources, **more: str) -> Step:
    places.demo(WINNOW_SOURCES=str(written.path), **more)
    lake = places.lake
    with PlainDuckDB(lake) as reader:
        rows = {
            (layer, source): frozenset(
                name
                for (name,) in reader.connection.execute(
                    f"SELECT row_id || ':' || content_hash FROM {reader.scan(layer)} WHERE source = ?",
                    [source],
                ).fetchall()
            )
            for layer in OPEN_LAYERS
            for source in lake.head(layer).partitions
        }
    metadata = told(places.root / "dagster", list(written.rows))
    return Step(files_of(lake), rows, metadata, list_releases(lake))


@dataclass(frozen=True)
class History:
    """One lake through five runs, and another built from the last sources alone."""

    places: Places
    steps: Mapping[str, Step]
    first_hashes: Mapping[str, str]
    scratch: Places


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    root = tmp_path_factory.mktemp("sources")
    places, written = Places.in_folder(root / "grown"), sources_in(root / "in")
    steps = {"first": step(places, written, WINNOW_WORKERS="2")}
    first_hashes = content(places.lake)
    written.rename("beta", "Beta, renamed")
    steps["renamed"] = step(places, written)
    alpha = written.rows["alpha"]
    written.put("alpha", alpha | {key: original("alpha", int(key[6:]), 2) for key in CHANGED})
    steps["revised"] = step(places, written)
    written.remove("alpha")
    steps["removed"] = step(places, written)
    copies = {f"delta-{n}": written.rows["beta"][f"beta-{n + 50}"] for n in range(20)}
    written.put("delta", originals("delta", 120) | copies)
    written.put("empty", {})
    steps["added"] = step(places, written)
    scratch = Places.in_folder(root / "scratch")
    scratch.demo(WINNOW_SOURCES=str(written.path))
    return History(places, steps, first_hashes, scratch)


def ids(step: Step, layer: str, source: str) -> set[str]:
    return {name.partition(":")[0] for name in step.rows[layer, source]}


def moved(before: Step, after: Step) -> set[tuple[str, str]]:
    """Partitions of the open layers whose rows are others now."""
    return {key for key, rows in after.rows.items() if before.rows.get(key) != rows}


def test_the_first_run_loses_copies_to_earlier_sources(history: History) -> None:
    first = history.steps["first"]
    lost = {name: len(first.rows["sanitized", name] - first.rows["deduped", name]) for name in ROWS}
    assert lost == {"alpha": 0, "beta": 10, "gamma": 10}
    assert not any(first.skipped())


def test_a_new_name_computes_and_rewrites_nothing_and_says_skipped(history: History) -> None:
    assert rewritten(history.steps["first"].files, history.steps["renamed"].files) == set()
    assert all(history.steps["renamed"].skipped())
    assert history.steps["renamed"].releases == history.steps["first"].releases


def test_a_revision_computes_only_the_rows_that_changed(
    history: History, record_property: Callable[[str, object], None]
) -> None:
    metadata = history.steps["revised"].metadata
    cached = ("cache_hits", "cache_misses")
    assert [metadata["sanitized", "alpha"][name] for name in cached] == [1000 - len(CHANGED), len(CHANGED)]
    assert [metadata["dedup_verdicts", ""][name] for name in cached] == [1800 - len(CHANGED), len(CHANGED)]
    for layer in ("decontaminated", "curated"):
        assert [metadata[layer, "alpha"][name] for name in cached] == [1000 - len(CHANGED), len(CHANGED)]
        assert [metadata[layer, "beta"][name] for name in cached] == [390, 1]  # the row that returned
    skipped = {key for key, values in metadata.items() if values["skipped"]}
    assert skipped >= {(layer, "beta") for layer in LAKE_TABLES[:3]}
    assert skipped >= {(layer, "gamma") for layer in LAKE_TABLES[:-1]}
    missed = [f"{layer} {metadata[layer, 'alpha']['cache_misses']}" for layer in CACHED]
    missed.append(f"dedup {metadata['dedup_verdicts', '']['cache_misses']}")
    record_property("measured", f"{len(CHANGED)} of 1,000 rows changed, misses: {', '.join(missed)}")


def test_a_revision_rewrites_only_partitions_whose_survivors_changed(
    history: History, record_property: Callable[[str, object], None]
) -> None:
    before, after = history.steps["renamed"], history.steps["revised"]
    changed = rewritten(before.files, after.files)
    assert {key for key in changed if key[0] in OPEN_LAYERS} == moved(before, after)
    returned = ids(after, "deduped", "beta") - ids(before, "deduped", "beta")
    assert len(returned) == 1
    assert ids(after, "deduped", "gamma") == ids(before, "deduped", "gamma")
    assert {key for key in changed if key[0] in ("raw", "conversations")} == {
        ("raw", "alpha"),
        ("conversations", "alpha"),
    }
    assert not any("gamma" in key for _, key in changed)
    layers = [key for key in changed if key[0] in LAKE_TABLES]
    record_property("measured", f"{len(layers)} of {3 * len(LAKE_TABLES)} layer partitions rewritten")


def test_a_removed_source_is_emptied_and_what_had_lost_to_it_returns(history: History) -> None:
    before, after = history.steps["revised"], history.steps["removed"]
    lake = history.places.lake
    assert {lake.head(table).partitions["alpha"].rows for table in LAKE_TABLES} == {0}
    assert [layer for layer in OPEN_LAYERS if after.rows.get((layer, "alpha"))] == []
    returned = ids(after, "deduped", "beta") - ids(before, "deduped", "beta")
    assert len(returned) == 9
    assert ids(after, "deduped", "beta") == ids(after, "sanitized", "beta")
    changed = rewritten(before.files, after.files)
    assert not any(key == "gamma" for table, key in changed if table in LAKE_TABLES[:-1])
    assert not any(table == "sanitized" and key != "alpha" for table, key in changed)


def test_releases_keep_the_rows_of_a_removed_source(history: History) -> None:
    lake = history.places.lake
    (name,) = history.steps["first"].releases
    release = load_release(lake, name)
    for source, count in release.table("sft_train").partitions.items():
        rows = scan_release(lake, release, "sft_train", ["row_id", "content_hash"], [source], verify=True)
        found = {f"{row['row_id']}:{row['content_hash']}" for batch in rows for row in batch.to_pylist()}
        assert found == history.steps["first"].rows["sft_train", source]
        assert len(found) == count.rows > 0


def test_a_later_source_loses_its_copies_of_older_ones(history: History) -> None:
    before, after = history.steps["removed"], history.steps["added"]
    assert len(after.rows["sanitized", "delta"]) == 120
    assert len(after.rows["deduped", "delta"]) == 100
    changed = rewritten(before.files, after.files)
    curated = {key for key in changed if key[0] in LAKE_TABLES[:-1]}
    assert curated == {(table, name) for table in LAKE_TABLES[:-1] for name in ("delta", "empty")}


def test_a_source_without_rows_goes_all_the_way(history: History) -> None:
    lake = history.places.lake
    assert {lake.head(table).partitions["empty"].rows for table in LAKE_TABLES} == {0}
    assert lake.head("verdicts_dedup").partitions["empty"].rows == 0


def test_a_lake_that_grew_says_what_one_built_at_once_says(history: History) -> None:
    kept = ["beta", "gamma", "delta"]
    for table in (*LAKE_TABLES, "sft_heldout", "token_counts"):
        contract = contract_of(table)
        grown = hash_table(history.places.lake, contract, kept)
        assert grown == hash_table(history.scratch.lake, contract, kept), table
    accounts_for_every_row(history.places.lake)


@pytest.mark.s3
def test_s3_and_one_worker_give_the_lake_of_a_directory_and_two(
    tmp_path: Path, history: History, seaweed: Seaweed
) -> None:
    """Alpha is large enough for the worker pool, the tiny demo is not."""
    places = Places.on_s3(tmp_path / "s3", seaweed)
    places.demo(WINNOW_SOURCES=str(sources_in(tmp_path / "in").path), WINNOW_WORKERS="1")
    assert content(places.lake) == history.first_hashes
