"""What Dagster loads: the graph of assets, its resources and jobs. No logic."""

import sys

import dagster as dg

from winnow.core.errors import WinnowError

try:
    from assets.graph import asset_definitions, asset_resources
    from dagster_project.jobs import JOBS
except WinnowError:
    # The message says what to edit; Dagster would print the frames below it
    sys.tracebacklimit = 0
    raise

defs = dg.Definitions(
    assets=asset_definitions(),
    resources=asset_resources(),
    jobs=JOBS,
    # A run has a process to itself; one more for each step would only import everything again
    executor=dg.in_process_executor,
)
