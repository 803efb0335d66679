"""Backfills through the Dagster instance: one run a source, and the global dedup verdicts once after all.

A partition range or a job backfill would judge duplicates once a source, so an asset backfill is launched.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import dagster as dg
from dagster._core.execution.backfill import (
    BULK_ACTION_TERMINAL_STATUSES,
    BulkActionStatus,
    PartitionBackfill,
)
from dagster._core.utils import make_new_backfill_id

from assets.backfill_daemon import Daemon, living_daemon
from assets.backfill_progress import ALL_SOURCES, Failure, Progress, runs_of
from assets.backfill_remains import command_tag
from assets.partitions import declared_sources
from winnow.core.errors import ConfigError, RunError, near_miss
from winnow.lake.lake import Lake

PER_SOURCE = ("raw", "conversations", "sanitized")
GLOBAL_ASSETS = ("dedup_verdicts",)
AFTER_DEDUP = ("deduped", "decontaminated", "curated")
HINTS = (
    (10.0, "waiting for the Dagster daemon: `make ui` looks for new backfills every 30 s"),
    (
        90.0,
        "no run has started yet: see whether the page Deployment of the running Dagster shows the code "
        "location `winnow` as loaded",
    ),
)
"""Seconds without a run, and what to say then."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class BackfillReport:
    """A finished backfill: its id in Dagster, its runs, and how many partitions were rewritten or left alone."""

    backfill_id: str
    sources: tuple[str, ...]
    runs: int
    written: int
    skipped: int


def check_sources(names: Sequence[str]) -> list[str]:
    """The named sources, all declared ones when none is named. Raises ConfigError for an unknown one."""
    known = declared_sources().ids
    for name in names:
        if name not in known:
            raise ConfigError(f"no source `{name}`.{near_miss(name, known)} Declared: {', '.join(known)}.")
    return list(dict.fromkeys(names)) or list(known)


def launch(names: Sequence[str], say: Say) -> list[BackfillReport]:
    """`run_backfill` on the instance that DAGSTER_HOME names, with a daemon for as long as it takes."""
    from assets.graph import asset_definitions, asset_resources

    definitions = dg.Definitions(assets=asset_definitions(), resources=asset_resources())
    graph = definitions.get_repository_def().asset_graph
    sources = check_sources(names)
    with dg.DagsterInstance.get() as instance, living_daemon(instance, say) as daemon:
        return run_backfill(Backfiller(instance, graph, daemon, say), sources)


def run_backfill(backfiller: "Backfiller", sources: Sequence[str]) -> list[BackfillReport]:
    """Backfills the sources, then those other sources whose survivors the new verdicts changed.

    A source that fails stops no other. Raises RunError at the end when one did; what was published stays.
    """
    lake = Lake.open()
    done, failures = [], []
    report, progress = backfiller.run(sources, (*PER_SOURCE, *GLOBAL_ASSETS, *AFTER_DEDUP))
    done.append(report)
    failures += progress.failures
    landed = [source for source in sources if "sanitized" in progress.landed.get(source, ())]
    judged = "dedup_verdicts" in progress.landed.get(ALL_SOURCES, ())
    if failures and landed and not judged and not _names(failures, ALL_SOURCES):
        # Dagster judges only once all sources of a backfill are there; the others need not wait for one
        backfiller.say(f"going on with {', '.join(landed)}")
        report, progress = backfiller.run(landed, (*GLOBAL_ASSETS, *AFTER_DEDUP))
        done.append(report)
        failures += progress.failures
    moved = [source for source in moved_sources(lake) if source not in sources]
    if moved and not _names(failures, ALL_SOURCES):
        backfiller.say(f"the verdicts changed the survivors of {', '.join(moved)} too: refreshing")
        report, progress = backfiller.run(moved, AFTER_DEDUP)
        done.append(report)
        failures += progress.failures
    if failures:
        told = list(dict.fromkeys(map(str, failures)))
        raise RunError(told[0] if len(told) == 1 else "\n  ".join((f"{len(told)} runs failed", *told)))
    _check_lake(lake, sources)
    return done


def moved_sources(lake: Lake) -> list[str]:
    """Sources whose deduped partition was built from other verdicts than the ones that stand."""
    verdicts, deduped = lake.head("verdicts_dedup"), lake.head("deduped")
    moved = []
    for source in declared_sources().ids:
        judged, built = verdicts.partitions.get(source), deduped.partitions.get(source)
        if judged and built and built.inputs().get(f"verdicts_dedup/{source}") != judged.data_version:
            moved.append(source)
    return moved


@dataclass(frozen=True)
class Backfiller:
    """Launches asset backfills and waits for them."""

    instance: dg.DagsterInstance
    asset_graph: object
    daemon: Daemon
    say: Say

    def run(self, sources: Sequence[str], assets: Sequence[str]) -> tuple[BackfillReport, Progress]:
        """One asset backfill, waited for; cancelled when the wait is interrupted."""
        backfill = PartitionBackfill.from_asset_partitions(
            backfill_id=make_new_backfill_id(),
            asset_graph=self.asset_graph,  # type: ignore[arg-type]
            partition_names=list(sources),
            asset_selection=[dg.AssetKey(name) for name in assets],
            backfill_timestamp=time.time(),
            tags=command_tag(),
            dynamic_partitions_store=self.instance,
            all_partitions=False,
            title=f"winnow backfill {' '.join(sources)}",
            description=None,
            run_config=None,
        )
        waves = sum(any(name in assets for name in wave) for wave in (PER_SOURCE, AFTER_DEDUP))
        planned = waves * len(sources) + any(name in assets for name in GLOBAL_ASSETS)
        self.instance.add_backfill(backfill)
        self.say(f"backfill {backfill.backfill_id}: {', '.join(sources)}; {planned} runs")
        progress = Progress(self.instance, backfill.backfill_id, planned, self.say)
        try:
            self._wait(backfill.backfill_id, progress)
        except KeyboardInterrupt:
            self.say("stopping the backfill; what was published stays")
            self._cancel(backfill.backfill_id)
            raise
        report = BackfillReport(
            backfill.backfill_id, tuple(sources), progress.finished, progress.written, progress.skipped
        )
        return report, progress

    def _wait(self, backfill_id: str, progress: Progress) -> None:
        began, hints = time.monotonic(), list(HINTS)
        while True:
            self.daemon.ensure()
            backfill = self.instance.get_backfill(backfill_id)
            assert backfill is not None
            progress.update()
            if backfill.status in BULK_ACTION_TERMINAL_STATUSES:
                break
            if hints and time.monotonic() - began > hints[0][0]:
                _, hint = hints.pop(0)
                if not runs_of(self.instance, backfill_id):
                    self.say(hint)
            time.sleep(0.5)
        if backfill.status != BulkActionStatus.COMPLETED_SUCCESS and not progress.failures:
            reason = (
                backfill.error.message.strip() if backfill.error else f"it ended as {backfill.status.value}"
            )
            progress.failures.append(Failure(ALL_SOURCES, f"backfill {backfill_id}", reason))

    def _cancel(self, backfill_id: str) -> None:
        backfill = self.instance.get_backfill(backfill_id)
        if backfill is None or backfill.status in BULK_ACTION_TERMINAL_STATUSES:
            return
        self.instance.update_backfill(backfill.with_status(BulkActionStatus.CANCELING))  # type: ignore[no-untyped-call]
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            backfill = self.instance.get_backfill(backfill_id)
            if backfill is None or backfill.status in BULK_ACTION_TERMINAL_STATUSES:
                return
            time.sleep(0.5)


def _names(failures: Iterable[Failure], source: str) -> bool:
    return any(failure.source == source for failure in failures)


def _check_lake(lake: Lake, sources: Sequence[str]) -> None:
    """The runs belong to the daemon; with another environment they would publish elsewhere."""
    there = lake.head("curated").partitions
    missing = [source for source in sources if source not in there]
    if missing:
        raise RunError(
            f"the backfill succeeded, but curated has no partition for {', '.join(missing)}: the running "
            "Dagster has another LAKE_ROOT. Stop it, or start it with the environment of this command"
        )
