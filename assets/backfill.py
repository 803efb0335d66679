"""Backfills through the Dagster instance: one run a source, and the global dedup verdicts once after all.

A partition range or a job backfill would judge duplicates once a source, so an asset backfill is launched.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
from dagster._core.execution.backfill import (
    BULK_ACTION_TERMINAL_STATUSES,
    BulkActionStatus,
    PartitionBackfill,
)
from dagster._core.utils import make_new_backfill_id
from dagster._daemon.controller import all_daemons_live

from assets.partitions import declared_sources
from winnow.core.errors import ConfigError, RunError, near_miss
from winnow.lake.lake import Lake

PER_SOURCE = ("raw", "conversations", "sanitized")
AFTER_DEDUP = ("deduped", "decontaminated", "curated")
GLOBAL_ASSETS = ("dedup_verdicts",)
CODE_LOCATION = "dagster_project.definitions"
Say = Callable[[str], None]


@dataclass(frozen=True)
class BackfillReport:
    """A finished backfill: its id in Dagster and how many partitions were rewritten or left as they were."""

    backfill_id: str
    sources: tuple[str, ...]
    written: int
    skipped: int


def check_sources(names: Sequence[str]) -> list[str]:
    """The named sources, all declared ones when none is named. Raises ConfigError for an unknown one."""
    known = declared_sources().ids
    for name in names:
        if name not in known:
            raise ConfigError(f"no source `{name}`.{near_miss(name, known)} Declared: {', '.join(known)}.")
    return list(dict.fromkeys(names)) or list(known)


def run_backfill(
    instance: dg.DagsterInstance, asset_graph: object, names: Sequence[str], say: Say
) -> list[BackfillReport]:
    """Backfills the sources, then those other sources whose survivors the new verdicts changed.

    Raises RunError when a run failed; what was published before stays.
    """
    sources = check_sources(names)
    lake = Lake.open()
    with daemon(instance, say):
        reports = [_one(instance, asset_graph, sources, (*PER_SOURCE, *GLOBAL_ASSETS, *AFTER_DEDUP), say)]
        moved = [source for source in moved_sources(lake) if source not in sources]
        if moved:
            say(f"the verdicts changed the survivors of {', '.join(moved)} too: refreshing")
            reports.append(_one(instance, asset_graph, moved, AFTER_DEDUP, say))
    return reports


def moved_sources(lake: Lake) -> list[str]:
    """Sources whose deduped partition was built from other verdicts than the ones that stand."""
    verdicts, deduped = lake.head("verdicts_dedup"), lake.head("deduped")
    moved = []
    for source in declared_sources().ids:
        judged, built = verdicts.partitions.get(source), deduped.partitions.get(source)
        if judged and built and built.inputs().get(f"verdicts_dedup/{source}") != judged.data_version:
            moved.append(source)
    return moved


def _one(
    instance: dg.DagsterInstance, asset_graph: object, sources: list[str], assets: Sequence[str], say: Say
) -> BackfillReport:
    backfill = PartitionBackfill.from_asset_partitions(
        backfill_id=make_new_backfill_id(),
        asset_graph=asset_graph,  # type: ignore[arg-type]
        partition_names=sources,
        asset_selection=[dg.AssetKey(name) for name in assets],
        backfill_timestamp=time.time(),
        tags={"winnow/backfill": "command-line"},
        dynamic_partitions_store=instance,
        all_partitions=False,
        title=f"winnow backfill {' '.join(sources)}",
        description=None,
        run_config=None,
    )
    instance.add_backfill(backfill)
    say(f"backfill {backfill.backfill_id} of {', '.join(sources)} launched")
    status = _wait(instance, backfill.backfill_id, say)
    written, skipped = _outcome(instance, backfill.backfill_id)
    if status != BulkActionStatus.COMPLETED_SUCCESS:
        raise RunError(
            f"backfill {backfill.backfill_id} ended as {status.value}: {_failures(instance, backfill.backfill_id)} "
            "Partitions published before stay as they are; correct the cause and run it again"
        )
    return BackfillReport(backfill.backfill_id, tuple(sources), written, skipped)


def _wait(instance: dg.DagsterInstance, backfill_id: str, say: Say) -> BulkActionStatus:
    told: set[str] = set()
    while True:
        backfill = instance.get_backfill(backfill_id)
        assert backfill is not None
        for record in _runs(instance, backfill_id):
            run = record.dagster_run
            if run.is_finished and run.run_id not in told:
                told.add(run.run_id)
                where = run.tags.get("dagster/partition", "all sources")
                steps = ", ".join(sorted(key.to_user_string() for key in run.asset_selection or ()))
                say(f"{run.status.value.lower()}: {where}: {steps}")
        if backfill.status in BULK_ACTION_TERMINAL_STATUSES:
            return backfill.status
        time.sleep(1)


def _runs(instance: dg.DagsterInstance, backfill_id: str) -> Sequence[dg.RunRecord]:
    return instance.get_run_records(dg.RunsFilter(tags={"dagster/backfill": backfill_id}))


def _outcome(instance: dg.DagsterInstance, backfill_id: str) -> tuple[int, int]:
    written = skipped = 0
    for record in _runs(instance, backfill_id):
        for event in instance.all_logs(
            record.dagster_run.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION
        ):
            materialization = event.asset_materialization
            if materialization is not None:
                left = materialization.metadata.get("skipped")
                skipped += bool(left and left.value)
                written += not (left and left.value)
    return written, skipped


def _failures(instance: dg.DagsterInstance, backfill_id: str) -> str:
    backfill = instance.get_backfill(backfill_id)
    told = []
    for record in _runs(instance, backfill_id):
        for event in instance.all_logs(record.dagster_run.run_id, of_type=dg.DagsterEventType.STEP_FAILURE):
            data = event.get_dagster_event().step_failure_data
            described = data.user_failure_data.description if data.user_failure_data else None
            told.append(described or (data.error.message.strip() if data.error else "a step failed"))
    if not told and backfill is not None and backfill.error is not None:
        told.append(backfill.error.message.strip())
    return "; ".join(dict.fromkeys(told)) or "no run says why."


@contextmanager
def daemon(instance: dg.DagsterInstance, say: Say) -> Iterator[None]:
    """A Dagster daemon for as long as it is needed; the running one of `dg dev` where there is one."""
    if all_daemons_live(instance):
        yield
        return
    log = Path(instance.root_directory) / "winnow-daemon.log"
    say(f"no Dagster daemon runs: starting one for this backfill (log {log})")
    command = [sys.executable, "-m", "dagster._daemon", "run", "-m", CODE_LOCATION]
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ})
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def launch(names: Sequence[str], say: Say) -> list[BackfillReport]:
    """`run_backfill` on the instance that DAGSTER_HOME names."""
    from assets.graph import asset_definitions

    definitions = dg.Definitions(assets=asset_definitions())
    graph = definitions.get_repository_def().asset_graph
    with dg.DagsterInstance.get() as instance:
        return run_backfill(instance, graph, names, say)
