"""Both sets are made of the rows that the split was drawn from."""

from pathlib import Path
from typing import Any

import pytest
from small_lake import grown, lose_a_row

import assets.train_sets
from assets.build import build_row_stage
from assets.release import build_training_release
from assets.train_sets import build_train_sets
from winnow.core.errors import DataError
from winnow.curation.split import build_heldout_index
from winnow.lake.lake import Lake


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    lake = grown(tmp_path)
    sources = lake.head("curated").partitions
    entries = "".join(f"  - {{id: {name}, kind: jsonl, location: none.jsonl}}\n" for name in sources)
    (tmp_path / "sources.yaml").write_text(f"sources:\n{entries}")
    monkeypatch.setenv("WINNOW_SOURCES", str(tmp_path / "sources.yaml"))
    return lake


def test_a_layer_published_while_the_split_is_drawn_is_not_read(lake: Lake, monkeypatch: pytest.MonkeyPatch):
    source = sorted(lake.head("curated").partitions)[0]
    before = lake.head("curated").partitions[source].data_version

    def meanwhile(*args: Any) -> Any:
        index = build_heldout_index(*args)
        lose_a_row(lake, "quality", source)
        return index

    monkeypatch.setattr(assets.train_sets, "build_heldout_index", meanwhile)
    build_train_sets(lake, 1, lambda _: None)
    assert lake.head("curated").partitions[source].data_version != before
    for table in ("sft_train", "sft_heldout"):
        assert lake.head(table).partitions[source].inputs()[f"curated/{source}"] == before, table
    train, heldout = (
        {row for b in lake.scan(t, [source], ["row_id"]) for row in b["row_id"].to_pylist()}
        for t in ("sft_train", "sft_heldout")
    )
    assert not train & heldout


def test_sets_of_two_splits_are_not_released(lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A run that was killed after the first source leaves held-out rows of the old split in training."""
    build_train_sets(lake, 1, lambda _: None)
    whole = build_training_release(lake)
    (tmp_path / "winnow.yaml").write_text("split: {seed: 5, heldout_fraction: 0.5}\n")
    monkeypatch.setenv("WINNOW_CONFIG", str(tmp_path / "winnow.yaml"))
    built = []

    def killed(*args: Any, **more: Any) -> Any:
        if built:
            raise KeyboardInterrupt
        built.append(args)
        return build_row_stage(*args, **more)

    monkeypatch.setattr(assets.train_sets, "build_row_stage", killed)
    with pytest.raises(KeyboardInterrupt):
        build_train_sets(lake, 1, lambda _: None)
    monkeypatch.setattr(assets.train_sets, "build_row_stage", build_row_stage)
    with pytest.raises(
        DataError, match=r"different splits.*materialize assets `sft_train` and `sft_heldout`"
    ):
        build_training_release(lake)
    build_train_sets(lake, 1, lambda _: None)
    assert build_training_release(lake).content_hash != whole.content_hash
