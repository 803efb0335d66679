"""A Dagster daemon for as long as a command waits: it advances backfills, launches queued runs, and ends with it.

`dg dev` brings a daemon of its own, which is used instead while it lives.
"""

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

from winnow.core.errors import RunError

CODE_LOCATION = "dagster_project.definitions"
LOCATION_NAME = "winnow"
"""As `dg dev` names it, so that its pages show the runs of a backfill as their own."""
NEEDED = ("BACKFILL", "QUEUED_RUN_COORDINATOR")
ALIVE_SECONDS = 90.0
"""A daemon beats every 30 s; between two of its rounds lie up to 30 s more."""
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
        # Its last heartbeat would pass for a living daemon for a while
        self._instance.wipe_daemon_heartbeats()


def alive(instance: dg.DagsterInstance, now: float | None = None) -> bool:
    """Whether the daemons that a backfill needs gave a sign of life lately."""
    beats = instance.get_daemon_heartbeats()
    since = (time.time() if now is None else now) - ALIVE_SECONDS
    return all(name in beats and beats[name].timestamp >= since for name in NEEDED)


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
        running.check_daemon_loop()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
