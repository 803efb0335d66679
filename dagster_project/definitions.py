"""What Dagster loads: the graph of assets, its resources and jobs. No logic."""

import dagster as dg

from assets.graph import asset_definitions, asset_resources
from dagster_project.jobs import JOBS

defs = dg.Definitions(
    assets=asset_definitions(),
    resources=asset_resources(),
    jobs=JOBS,
    executor=dg.multiprocess_executor.configured({"max_concurrent": 1}),
)
