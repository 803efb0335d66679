"""An asset that is materialized before what it needs says which asset comes first."""

from pathlib import Path

import dagster as dg
import pytest

from assets.graph import asset_definitions, asset_resources
from assets.partitions import declared_sources

FIRST = {
    "conversations": "materialize asset `raw` for it first",
    "sanitized": "materialize asset `conversations` for it first",
    "dedup_verdicts": "materialize asset `sanitized` for at least one source first",
    "deduped": "materialize asset `sanitized` for it first",
    "decontaminated": "materialize asset `deduped` for it first",
    "curated": "materialize asset `decontaminated` for it first",
    "sft_train": "materialize asset `curated` for at least one source first",
    "preference_pairs": "materialize asset `curated` for at least one source first",
}
PARTITIONED = ("conversations", "sanitized", "deduped", "decontaminated", "curated")


@pytest.mark.parametrize("asset", FIRST)
def test_what_comes_first_is_named(asset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LAKE_ROOT", str(tmp_path / "lake"))
    monkeypatch.setenv("LAKE_RAW_ROOT", str(tmp_path / "lake_raw"))
    chosen = ["sft_train", "sft_heldout"] if asset == "sft_train" else [asset]
    result = dg.materialize(
        asset_definitions(),
        selection=chosen,
        partition_key=declared_sources().ids[0] if asset in PARTITIONED else None,
        resources=asset_resources(),
        instance=dg.DagsterInstance.ephemeral(),
        raise_on_error=False,
    )
    (failed,) = [event for event in result.all_events if event.is_step_failure]
    assert FIRST[asset] in failed.step_failure_data.user_failure_data.description
