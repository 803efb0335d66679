"""What the runs of a backfill did and do, read from the Dagster instance."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import dagster as dg

from assets.reporting import summary

Say = Callable[[str], None]
BACKFILL_TAG = "dagster/backfill"
PARTITION_TAG = "dagster/partition"
ALL_SOURCES = "all sources"


@dataclass(frozen=True)
class Failure:
    """A step that failed: of which source, in which asset, and what to do about it."""

    source: str
    asset: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.asset}: {self.reason}"


@dataclass
class Progress:
    """Reads the events of a backfill's runs as they come, and tells them line by line."""

    instance: dg.DagsterInstance
    backfill_id: str
    planned_runs: int
    say: Say
    written: int = 0
    skipped: int = 0
    failures: list[Failure] = field(default_factory=list)
    finished: int = 0
    landed: dict[str, set[str]] = field(default_factory=dict)
    """Assets that each source has materialized."""
    _cursors: dict[str, str] = field(default_factory=dict)
    _told: dict[str, list[str]] = field(default_factory=dict)
    _done: set[str] = field(default_factory=set)
    _began: float = field(default_factory=time.monotonic)

    def update(self) -> None:
        """Tells what happened since the last call."""
        for record in runs_of(self.instance, self.backfill_id):
            run = record.dagster_run
            if run.run_id in self._done or run.status in (
                dg.DagsterRunStatus.QUEUED,
                dg.DagsterRunStatus.NOT_STARTED,
            ):
                continue
            self._read(run)
            if run.is_finished:
                self._done.add(run.run_id)
                self._close(run)

    def _read(self, run: dg.DagsterRun) -> None:
        source = run.tags.get(PARTITION_TAG, ALL_SOURCES)
        more = True
        while more:
            page = self.instance.get_records_for_run(run.run_id, cursor=self._cursors.get(run.run_id))
            self._cursors[run.run_id], more = page.cursor, page.has_more
            for record in page.records:
                self._take(run, source, record.event_log_entry)

    def _take(self, run: dg.DagsterRun, source: str, entry: dg.EventLogEntry) -> None:
        event = entry.dagster_event
        if event is None:
            # What a step says of itself, rows, rate and time left; Dagster's own errors say no more than its events
            if entry.level in (logging.INFO, logging.WARNING):
                self.say(f"{self._clock()} {entry.user_message}")
        elif event.event_type == dg.DagsterEventType.ASSET_MATERIALIZATION:
            self._materialized(run, source, event.step_materialization_data.materialization)
        elif event.event_type == dg.DagsterEventType.STEP_FAILURE:
            self.failures.append(Failure(source, event.step_key or "a step", failure_reason(event)))

    def _materialized(self, run: dg.DagsterRun, source: str, made: dg.AssetMaterialization) -> None:
        self.landed.setdefault(source, set()).add(made.asset_key.to_user_string())
        self._told.setdefault(run.run_id, []).append(summary(made))
        unchanged = made.metadata.get("skipped")
        if unchanged is not None and unchanged.value:
            self.skipped += 1
        else:
            self.written += 1

    def _close(self, run: dg.DagsterRun) -> None:
        self.finished += 1
        source = run.tags.get(PARTITION_TAG, ALL_SOURCES)
        told = ", ".join(self._told.get(run.run_id, []))
        if run.status != dg.DagsterRunStatus.SUCCESS:
            if not any(failure.source == source for failure in self.failures):
                self.failures.append(Failure(source, "run", _end_of(self.instance, run)))
            failed = next(failure for failure in self.failures if failure.source == source)
            told = ", ".join(filter(None, [told, f"{failed.asset} FAILED"]))
        self.say(f"{self._clock()} {self.finished} of {self.planned_runs} runs; {source}: {told}")

    def _clock(self) -> str:
        return f"[{time.monotonic() - self._began:6.1f} s]"


def runs_of(instance: dg.DagsterInstance, backfill_id: str) -> Sequence[dg.RunRecord]:
    """The runs of a backfill, oldest first."""
    return instance.get_run_records(dg.RunsFilter(tags={BACKFILL_TAG: backfill_id}), ascending=True)


def failure_reason(event: dg.DagsterEvent) -> str:
    """One line with the remedy where the asset gave one, else the kind of the error and where to look.

    The message of any other error is left in Dagster: libraries quote the value they choked on.
    """
    data = event.step_failure_data
    if data.user_failure_data is not None and data.user_failure_data.description:
        return data.user_failure_data.description
    error = data.error.cause or data.error if data.error else None
    return f"{error.cls_name if error else 'a step failed'}; its run in `make ui` says more"


def _end_of(instance: dg.DagsterInstance, run: dg.DagsterRun) -> str:
    kind = dg.DagsterEventType.RUN_FAILURE
    for entry in instance.all_logs(run.run_id, of_type=kind):
        if entry.dagster_event is not None and entry.dagster_event.message:
            return entry.dagster_event.message.strip().splitlines()[0]
    return f"the run ended as {run.status.value}"
