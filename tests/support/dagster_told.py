"""What a run told Dagster, read back from the instance as its UI does."""

from pathlib import Path
from typing import Any

import dagster as dg

from schemas.verdicts import STAGES

LAYERS = ("raw", "conversations", "sanitized", "deduped", "decontaminated", "curated")
assert len(LAYERS) == len(STAGES) - 2


def told(home: Path, sources: list[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """The metadata of the newest materialization of each layer and source; `dedup_verdicts` has source ''."""
    found = {}
    with dg.DagsterInstance.from_config(str(home)) as instance:
        for asset, source in [
            *((layer, source) for layer in LAYERS for source in sources),
            ("dedup_verdicts", ""),
            ("sft_train", ""),
            ("sft_heldout", ""),
            ("preference_pairs", ""),
        ]:
            records = instance.fetch_materializations(
                dg.AssetRecordsFilter(
                    asset_key=dg.AssetKey(asset), asset_partitions=[source] if source else None
                ),
                limit=1,
            ).records
            materialization = records[0].asset_materialization if records else None
            if materialization is not None:
                values = materialization.metadata
                found[asset, source] = {name: value.value for name, value in values.items()}
    return found
