"""What a killed backfill leaves in the Dagster instance: runs that hold the queue, backfills that would go on."""

import os
from collections.abc import Callable
from pathlib import Path

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus

BACKFILL_TAG = "dagster/backfill"
COMMAND_TAG = "winnow/command"
"""The process that launched a backfill and waits for it."""


def command_tag() -> dict[str, str]:
    """Marks a backfill as launched by this process."""
    return {COMMAND_TAG: str(os.getpid())}


def clear_remains(instance: dg.DagsterInstance, say: Callable[[str], None]) -> None:
    """Marks runs whose process is gone as failed, and has backfills ended whose command is gone.

    Only for when no daemon lives: what is there is then nobody's.
    """
    active = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
    for record in instance.get_run_records(dg.RunsFilter(statuses=active)):
        run = record.dagster_run
        if BACKFILL_TAG in run.tags and not process_lives(
            _pid_of(instance, run), b"multiprocessing", b"dagster"
        ):
            instance.report_run_failed(run, "Its process is gone: it was killed, or the machine stopped.")
            say(f"run {run.run_id[:8]} of an earlier backfill had died; it is marked as failed")
    pending = BulkActionsFilter(statuses=[BulkActionStatus.REQUESTED])
    for backfill in instance.get_backfills(filters=pending):
        if COMMAND_TAG in backfill.tags and not process_lives(backfill.tags[COMMAND_TAG], b"winnow"):
            instance.update_backfill(backfill.with_status(BulkActionStatus.CANCELING))  # type: ignore[no-untyped-call]
            say(f"backfill {backfill.backfill_id} was left by a command that was killed; it is cancelled")


def _pid_of(instance: dg.DagsterInstance, run: dg.DagsterRun) -> str | None:
    for entry in reversed(instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT)):
        event = entry.dagster_event
        pid = event.engine_event_data.metadata.get("pid") if event is not None else None
        if pid is not None:
            return str(pid.value)
    return None


def process_lives(pid: int | str | None, *words: bytes) -> bool:
    """Whether a process runs and has one of the words in its command: its number may be another's by now."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return any(word in command for word in words)
