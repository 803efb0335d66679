"""What Dagster loads: the graph of assets, its resources and jobs. No logic."""

import dagster as dg

from assets.graph import asset_definitions, asset_resources
from dagster_project.jobs import JOBS

defs = dg.Definitions(
    assets=asset_definitions(),
    resources=asset_resources(),
    jobs=JOBS,
    # A run has a process to itself; one more for each step would only import everything again
    executor=dg.in_process_executor,
)
