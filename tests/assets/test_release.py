"""A release pins pairs that belong to its rows; where they cannot be made again it does without them."""

from pathlib import Path

import pytest
from paired_lake import paired
from small_lake import CODE, Row, batch, grow, lose_a_row, sample, version_of

from assets.release import build_training_release, pairs_left_out
from schemas.rows import SFT_HELDOUT
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.publish import publish
from winnow.sandbox import unavailable

needs_sandbox = pytest.mark.skipif(bool(unavailable()), reason=f"no sandbox here: {unavailable()}")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """Both sets and pairs, all of the same rows."""
    made = paired(tmp_path).lake
    for source in made.head("curated").partitions:
        hold_out(made, source, [])
    return made


def hold_out(lake: Lake, source: str, rows: list[Row]) -> None:
    inputs = version_of(lake, "curated", source)
    version = digest([inputs, [row["row_id"] for row in rows]])
    candidate = lake.candidate(SFT_HELDOUT, source, "split", version, CODE, inputs, accounted=False)
    with candidate:
        candidate.write_rows(batch(SFT_HELDOUT, rows))
    publish(lake, candidate)


def change_rows(lake: Lake) -> None:
    """The sets are made of the rows as they are now, the pairs are not."""
    changed = sample()
    changed["alpha"] = changed["alpha"][:-1]
    grow(lake, changed)
    hold_out(lake, "alpha", [])


def test_pairs_of_the_rows_are_released_with_and_without_a_sandbox(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_sandbox = build_training_release(lake)
    monkeypatch.setenv("PATH", "")
    assert pairs_left_out(lake) is None
    assert build_training_release(lake) == with_sandbox
    assert "preference_pairs" in with_sandbox.tables


@needs_sandbox
def test_stale_pairs_are_refused_where_they_can_be_made_again(lake: Lake) -> None:
    change_rows(lake)
    assert pairs_left_out(lake) is None
    with pytest.raises(DataError, match="preference_pairs/alpha was built from an older curated/alpha"):
        build_training_release(lake)


def test_without_a_sandbox_stale_pairs_are_left_out(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    change_rows(lake)
    monkeypatch.setenv("PATH", "")
    assert (pairs_left_out(lake) or "").startswith(
        "preference_pairs/alpha was built from an older curated/alpha"
    )
    assert set(build_training_release(lake).tables) & {"sft_train", "sft_heldout", "preference_pairs"} == {
        "sft_train",
        "sft_heldout",
    }


def test_without_a_sandbox_pairs_of_another_split_are_left_out(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pair,) = [pair for b in lake.scan("preference_pairs", ["alpha"]) for pair in b.to_pylist()]
    rows = [r for b in lake.scan("curated", ["alpha"]) for r in b.to_pylist()]
    hold_out(lake, "alpha", [row for row in rows if row["row_id"] == pair["parent_row_id"]])
    monkeypatch.setenv("PATH", "")
    assert "another split" in (pairs_left_out(lake) or "")
    assert "preference_pairs" not in build_training_release(lake).tables


def test_other_stale_tables_are_refused_without_a_sandbox_too(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_a_row(lake, "quality", "beta")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DataError, match="sft_train/beta was built from an older curated/beta"):
        build_training_release(lake)
