"""What assets are given: the lake and the sources, resolved from the environment when a step runs."""

import dagster as dg
from pydantic import Field

from winnow.core.runner import worker_count
from winnow.lake.lake import Lake


class LakeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The lake that LAKE_ROOT and LAKE_RAW_ROOT name."""

    workers: int | None = Field(
        default=None, description="Worker processes of a stage; default WINNOW_WORKERS, else one a core."
    )

    def open(self) -> Lake:
        return Lake.open()

    def worker_count(self) -> int:
        return worker_count(self.workers)
