"""Training as a child that can be killed, whatever its method, and two runs held against each other."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from training.dpo_job import DpoStep
from training.job import RunResult
from winnow.models.child import OFFLINE

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-4


def killed_at(program: str, job: Path, step: int) -> list[dict[str, Any]]:
    """Runs the child until it has said `step`, kills it there, and returns what it said."""
    said: list[dict[str, Any]] = []
    command = [sys.executable, "-m", program, str(job)]
    environment = {**os.environ, **OFFLINE}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as child:
        for line in child.stdout or ():
            said.append(json.loads(line))
            if said[-1].get("step") == step:
                child.send_signal(signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL
    return said


def run_whole(program: str, job: Path, **environment: str) -> list[dict[str, Any]]:
    """Runs the child to its end outside of Dagster; returns all that it said on stdout, which is JSON."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("DAGSTER_PIPES")}
    done = subprocess.run(
        [sys.executable, "-m", program, str(job)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**plain, **environment},
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_same_run(one: RunResult, two: RunResult) -> None:
    """Equal rows in equal steps; losses, and margins where there are, within the tolerance."""
    assert one.rows == two.rows
    assert [s.row_ids for s in one.steps] == [s.row_ids for s in two.steps]
    assert [s.learning_rate for s in one.steps] == pytest.approx([s.learning_rate for s in two.steps])
    assert [s.loss for s in one.steps] == pytest.approx([s.loss for s in two.steps], abs=TOLERANCE)
    assert margins(one) == pytest.approx(margins(two), abs=TOLERANCE)
    assert one.probe.loss == pytest.approx(two.probe.loss, abs=TOLERANCE)
    assert (one.job, one.tokens, one.trained_tokens) == (two.job, two.tokens, two.trained_tokens)


def margins(result: RunResult) -> list[float]:
    return [step.margin for step in result.steps if isinstance(step, DpoStep)]


def times_of_files(folder: Path) -> Mapping[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
