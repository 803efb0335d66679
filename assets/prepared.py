"""An evaluation that is ready to be run in a child process."""

from dataclasses import dataclass
from pathlib import Path

from evaluation.batch import EvaluationJob


@dataclass(frozen=True)
class Prepared:
    """Its job, where its result will lie, and whether it lies there already."""

    job: EvaluationJob
    output: Path
    is_done: bool
