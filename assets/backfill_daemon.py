"""A Dagster daemon for as long as a command waits: it advances backfills, launches queued runs, and ends with it.

`dg dev` brings a daemon of its own, which is used instead while it lives.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from dagster._core.workspace.load_target import ModuleTarget
from dagster._daemon import controller
from dagster._daemon.daemon import BackfillDaemon, DagsterDaemon, MonitoringDaemon
from dagster._daemon.run_coordinator.queued_run_coordinator_daemon import QueuedRunCoordinatorDaemon

from assets.backfill_remains import clear_remains, process_lives
from winnow.core.errors import RunError

CODE_LOCATION = "dagster_project.definitions"
LOCATION_NAME = "winnow"
"""As `dg dev` names it, so that its pages show the runs of a backfill as their own."""
HEARTBEAT = QueuedRunCoordinatorDaemon.daemon_type()
"""The thread of a daemon that beats most evenly: every 30 s, whatever the others do."""
ALIVE_SECONDS = 60.0
POLL_SECONDS = 1.0

Say = Callable[[str], None]


class Daemon:
    """The daemon that a backfill needs: one that lives already, else a child of this process."""

    def __init__(self, instance: dg.DagsterInstance, say: Say) -> None:
        self._instance, self._say = instance, say
        self._process: subprocess.Popen[bytes] | None = None
        self._log = Path(instance.root_directory) / "winnow-daemon.log"

    def ensure(self) -> None:
        """Starts a daemon where none lives. Raises RunError when the one started here has ended."""
        if self._process is None:
            if not alive(self._instance):
                clear_remains(self._instance, self._say)
                self._say(f"no Dagster daemon runs: starting one for this command (log {self._log})")
                self._start()
        elif (code := self._process.poll()) is not None:
            self._process = None
            raise RunError(f"the Dagster daemon ended with exit code {code}; its log is {self._log}")

    def _start(self) -> None:
        command = [sys.executable, "-m", "assets.backfill_daemon"]
        with self._log.open("wb") as out:
            # A session of its own: Ctrl-C reaches this process only, which then stops the daemon in order
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=out, stderr=out, start_new_session=True
            )

    def stop(self) -> None:
        """Ends the daemon if it was started here, with its code server."""
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def alive(instance: dg.DagsterInstance) -> bool:
    """Whether a daemon lives: by its process if a command started it, else by its last heartbeat."""
    beat = instance.get_daemon_heartbeats().get(HEARTBEAT)
    if beat is None:
        return False
    ours = _identity_file(instance)
    known = json.loads(ours.read_text()) if ours.exists() else {}
    if known.get("daemon_id") == beat.daemon_id:
        return process_lives(known["pid"], b"assets.backfill_daemon")
    return time.time() - beat.timestamp < ALIVE_SECONDS


def _identity_file(instance: dg.DagsterInstance) -> Path:
    return Path(instance.root_directory) / "winnow-daemon.json"


@contextmanager
def living_daemon(instance: dg.DagsterInstance, say: Say) -> Iterator[Daemon]:
    """A daemon that lives now; one that had to be started is stopped on the way out."""
    daemon = Daemon(instance, say)
    try:
        daemon.ensure()
        yield daemon
    finally:
        daemon.stop()


def _daemons(instance: dg.DagsterInstance) -> list[DagsterDaemon]:  # type: ignore[type-arg]
    # No schedules and no sensors: a command that backfills must not start anything else
    return [
        BackfillDaemon(settings=instance.get_backfill_settings()),
        QueuedRunCoordinatorDaemon(interval_seconds=POLL_SECONDS),
        MonitoringDaemon(interval_seconds=instance.run_monitoring_poll_interval_seconds),
    ]


def _end_with_parent() -> None:
    """The parent holds the other end of stdin, so the pipe ends when it stops us and also when it is killed."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGINT)


def main() -> None:
    """The daemon process."""
    # Dagster looks at backfills every 30 s; with three waves in each, most of a small backfill would be waiting
    controller.DEFAULT_DAEMON_INTERVAL_SECONDS = POLL_SECONDS  # type: ignore[assignment]
    # A shell that starts a command in the background has SIGINT ignored, and children inherit that
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    target = ModuleTarget(CODE_LOCATION, None, os.getcwd(), LOCATION_NAME)
    with (
        dg.DagsterInstance.get() as instance,
        controller.daemon_controller_from_instance(
            instance,
            target,
            heartbeat_interval_seconds=10,
            gen_daemons=_daemons,
            code_server_log_level="warning",
        ) as running,
    ):
        known = {"daemon_id": running._daemon_uuid, "pid": os.getpid()}
        scratch = _identity_file(instance).with_suffix(".new")
        scratch.write_text(json.dumps(known))
        scratch.replace(_identity_file(instance))
        running.check_daemon_loop()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
