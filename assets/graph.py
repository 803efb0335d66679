"""All assets, in the order of the layers."""

from typing import Any

import dagster as dg

import assets.checkpoint
import assets.conversations
import assets.curated
import assets.decontaminated
import assets.deduped
import assets.dpo_checkpoint
import assets.evaluation
import assets.preference_pairs
import assets.raw
import assets.registry
import assets.release
import assets.sanitized
import assets.train_sets
from assets.resources import LakeResource

_MODULES = [
    assets.raw,
    assets.conversations,
    assets.sanitized,
    assets.deduped,
    assets.decontaminated,
    assets.curated,
    assets.train_sets,
    assets.preference_pairs,
    assets.release,
    assets.checkpoint,
    assets.dpo_checkpoint,
    assets.evaluation,
    assets.registry,
]


def asset_definitions() -> list[Any]:
    """Every asset of the graph."""
    return list(dg.load_assets_from_modules(_MODULES))


def asset_resources() -> dict[str, Any]:
    """What assets are given."""
    return {"lake": LakeResource()}
