"""What Dagster loads: the graph of assets, its resources and jobs. No logic."""

import dagster as dg

import assets.conversations
import assets.curated
import assets.decontaminated
import assets.deduped
import assets.raw
import assets.sanitized
import assets.train_sets
from assets.resources import LakeResource
from dagster_project.jobs import JOBS

MODULES = [
    assets.raw,
    assets.conversations,
    assets.sanitized,
    assets.deduped,
    assets.decontaminated,
    assets.curated,
    assets.train_sets,
]

defs = dg.Definitions(
    assets=dg.load_assets_from_modules(MODULES),
    resources={"lake": LakeResource()},
    jobs=JOBS,
    executor=dg.multiprocess_executor.configured({"max_concurrent": 1}),
)
