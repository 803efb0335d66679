"""`python -m evaluation.batch JOB.json`: several evaluations in one process, which loads its libraries once.

The job is `{"jobs": [{"program": NAME, "job": PATH}, …]}`; each is done as its own program does it, in this order,
and leaves the same files. What is complete already is not done again.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field

from evaluation import heldout_loss, preference_accuracy
from evaluation.humaneval import generate
from winnow.core.config import ConfigModel, load_model
from winnow.models.child import Events, run_child, run_program, write_json

Program = Literal["heldout_loss", "preference_accuracy", "humaneval"]
_RUN: dict[Program, Callable[[Mapping[str, Any], Events], object]] = {
    "heldout_loss": heldout_loss.evaluate,
    "preference_accuracy": preference_accuracy.evaluate,
    "humaneval": generate.generate,
}
assert set(_RUN) == set(get_args(Program))


class EvaluationJob(ConfigModel):
    """One evaluation: which program does it, and its job file."""

    program: Program
    job: Path


class BatchJob(ConfigModel):
    """Evaluations to do one after the other."""

    jobs: tuple[EvaluationJob, ...] = Field(min_length=1)


def run_batch(
    path: Path, jobs: Sequence[EvaluationJob], on_event: Callable[[Mapping[str, Any]], None] | None = None
) -> None:
    """Writes the job file `path` and runs it in a child. Raises RunError with the child's own message."""
    write_json(path, BatchJob(jobs=tuple(jobs)).model_dump(mode="json"))
    run_child("evaluation.batch", path, on_event)


def _program(raw: Mapping[str, Any], events: Events) -> None:
    for each in load_model(BatchJob, raw, "evaluation batch").jobs:
        _RUN[each.program](json.loads(each.job.read_text(encoding="utf-8")), events)


if __name__ == "__main__":
    run_program(_program)
