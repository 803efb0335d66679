"""Materializes one asset with a stage that is at fault, as new code may be; run as a script.

python faulty_run.py ASSET SOURCE FAULT     FAULT: none, harmless (new code, same rows), loses-a-row,
                                            unknown-kind or repeats-a-row
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import dagster as dg
import pyarrow as pa

import assets.build
import assets.raw
from assets.graph import asset_definitions, asset_resources
from winnow.cli.environment import dagster_home
from winnow.core.runner import Judged
from winnow.core.stage import StageOutput
from winnow.curation.sanitize import SanitizeStage

Change = Callable[[pa.RecordBatch], pa.RecordBatch]


def loses_a_row(kept: pa.RecordBatch) -> pa.RecordBatch:
    return kept.slice(1)


def unknown_kind(kept: pa.RecordBatch) -> pa.RecordBatch:
    place = kept.schema.get_field_index("kind")
    return kept.set_column(place, kept.schema.field(place), pa.array(["novel"] * kept.num_rows))


def repeats_a_row(kept: pa.RecordBatch) -> pa.RecordBatch:
    first = kept.slice(0, 1)
    return pa.Table.from_batches([first, first, kept.slice(2)]).combine_chunks().to_batches()[0]


CHANGES: dict[str, Change] = {
    "harmless": lambda kept: kept,
    "loses-a-row": loses_a_row,
    "unknown-kind": unknown_kind,
    "repeats-a-row": repeats_a_row,
}


def plant(fault: str) -> None:
    """Puts the fault into what reading and sanitizing give, under a code version of its own."""
    change, read, run = CHANGES[fault], assets.raw.read, assets.build.run_cached
    version = f"{fault}-{time.time_ns()}"

    def faulty_read(*arguments: Any) -> Iterator[StageOutput]:
        for output in read(*arguments):
            yield replace(output, kept=change(output.kept))

    def faulty_run(*arguments: Any) -> Iterator[Judged]:
        for batch, output in run(*arguments):
            yield Judged(batch, replace(output, kept=change(output.kept)))

    assets.raw.read = faulty_read
    assets.raw.CODE_VERSION = version
    assets.build.run_cached = faulty_run
    SanitizeStage.code_version = version


def main(asset: str, source: str, fault: str) -> int:
    dagster_home()
    if fault != "none":
        plant(fault)
    with dg.DagsterInstance.get() as instance:
        result = dg.materialize(
            asset_definitions(),
            selection=[asset],
            partition_key=source,
            instance=instance,
            resources=asset_resources(),
            raise_on_error=False,
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )
        for event in result.all_events:
            if event.is_step_failure and event.step_failure_data.user_failure_data:
                print(event.step_failure_data.user_failure_data.description)
    return 0 if result.success else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
