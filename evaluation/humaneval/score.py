"""HumanEval from a job file to scores: models write in a child, their programs run in the sandbox."""

import builtins
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.humaneval.grade import Graded, grade
from evaluation.humaneval.job import HumanEvalJob, read_generations, read_result
from evaluation.humaneval.problems import load_problems
from evaluation.outcomes import NotRun
from evaluation.passes import PairedPasses, compare_passes
from evaluation.preferences import wilson
from evaluation.statistics import LEVEL
from winnow.core.errors import RunError
from winnow.core.identity import digest
from winnow.models.child import run_child
from winnow.sandbox import Sandbox, unavailable

BENCHMARK = "humaneval"
METRIC = "pass@1"
_TOLD = {"assertion"} | {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
}


@dataclass(frozen=True)
class ModelScore:
    """A model on the chosen problems, each answered once."""

    name: str
    model_hash: str
    benchmark_version: str
    graded: tuple[Graded, ...]

    @property
    def evaluation_id(self) -> str:
        """Hash of benchmark version and model."""
        return digest([BENCHMARK, self.benchmark_version, self.model_hash])

    @property
    def passed(self) -> dict[str, bool]:
        """Verdict by task id."""
        return {g.generation.task_id: g.passed for g in self.graded}

    @property
    def value(self) -> float:
        """pass@1: with one answer a problem, the share that passes."""
        return sum(self.passed.values()) / len(self.graded)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Wilson's interval of `value`."""
        return wilson(sum(self.passed.values()), len(self.graded), level)

    @property
    def failures(self) -> dict[str, int]:
        """How often programs failed in which way, the frequent first; no text of a program is among them."""
        return dict(Counter(_kind(g.reason) for g in self.graded if not g.passed).most_common())

    def told(self) -> str:
        """How many passed with the interval of their share, and how the others failed."""
        low, high = self.interval()
        failed = [f"{reason} {n}" for reason, n in self.failures.items()]
        passed = f"{sum(self.passed.values())} of {len(self.graded)} passed, interval [{low:.3f}, {high:.3f}]"
        return "; ".join([passed, *failed])


def score(
    job_file: Path, slots: int, on_event: Callable[[Mapping[str, Any]], None] | None = None
) -> dict[str, ModelScore] | NotRun:
    """The score of each model of the job by its name, or why there is none.

    Where no sandbox starts, nothing is generated either. What is generated already is not generated again.
    Raises ConfigError for a faulty job, RunError where the child fails.
    """
    fix = unavailable()
    if fix is not None:
        return NotRun(fix)
    job = HumanEvalJob.load(job_file)
    if read_result(job.output) is None:
        run_child("evaluation.humaneval.generate", job_file, on_event)
    result = read_result(job.output)
    if result is None:
        raise RunError("HumanEval ended without a result; run it again, what is generated is not repeated")
    with Sandbox(slots) as sandbox:
        graded = grade(
            sandbox, load_problems(), read_generations(job.output), result.form, job.settings.timeout_seconds
        )
    if isinstance(graded, NotRun):
        return graded
    return {
        name: ModelScore(
            name,
            model_hash,
            result.benchmark_version,
            tuple(g for g in graded if g.generation.model == name),
        )
        for name, model_hash in result.models.items()
    }


def compare_scores(new: ModelScore, reference: ModelScore, level: float = LEVEL) -> PairedPasses:
    """What the new model gained and lost. Raises DataError where the two answered other problems."""
    return compare_passes(new.passed, reference.passed, level)


def _kind(reason: str) -> str:
    """What may be told in the open zone: the words of a program's own error may not, whatever it raised."""
    head, _, detail = reason.partition(": ")
    name = detail.split(":")[0]
    return f"{head}: {name}" if head == "limit" or name in _TOLD else head
