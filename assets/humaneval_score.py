"""pass@1 on HumanEval of the models, graded in the sandbox."""

import os

import pyarrow as pa

from assets.contenders import BASE, CANDIDATE, CHAMPION, Contenders
from assets.model_settings import work_folder
from assets.prepared import Prepared
from assets.scores import ItemScore, Score
from evaluation.batch import EvaluationJob
from evaluation.humaneval.job import CODE_VERSION, HumanEvalJob, HumanEvalSettings, read_result
from evaluation.humaneval.score import BENCHMARK, METRIC, ModelScore, score
from evaluation.outcomes import NotRun
from schemas.generations import GENERATIONS
from training.base import as_dict
from winnow.core.identity import digest
from winnow.lake.records import replace_rows
from winnow.sandbox import unavailable


def humaneval_job(models: Contenders, settings: HumanEvalSettings, threads: int) -> Prepared | NotRun:
    """Base, candidate and champion on the same problems, or why they are not run."""
    if fix := unavailable():
        return NotRun(fix)
    refs = models.refs(BASE, CANDIDATE, CHAMPION)
    asked = [settings.model_dump(mode="json"), models.base.identity(), [[r.name, r.hash] for r in refs]]
    folder = work_folder(f"humaneval/{digest([CODE_VERSION, asked])}")
    os.chmod(folder, 0o700)  # what models write has not been sanitized
    output = folder / "output"
    job = HumanEvalJob.write(
        folder / "job.json",
        base=as_dict(models.base),
        models=refs,
        output=output,
        settings=settings,
        threads=threads,
    )
    return Prepared(EvaluationJob(program="humaneval", job=job), output, read_result(output) is not None)


def score_humaneval(models: Contenders, prepared: Prepared, slots: int) -> dict[str, ModelScore] | NotRun:
    """The models of a job that was run, graded in the sandbox.

    What they wrote goes to the restricted zone, verdicts item by item to the open one.
    """
    scores = score(prepared.job.job, slots)
    if isinstance(scores, NotRun):
        return scores
    for name, scored in scores.items():
        _record(models, name, scored)
    return scores


def _record(models: Contenders, name: str, scored: ModelScore) -> None:
    line = models.config.line
    written = [
        {
            "evaluation_id": scored.evaluation_id,
            "model": line,
            "item_id": g.generation.task_id,
            "text": g.generation.text,
            "program": g.program,
            "ending": g.generation.ending,
            "passed": g.passed,
            "reason": g.reason,
            "tokens": g.generation.tokens,
            "seconds": g.generation.seconds,
        }
        for g in scored.graded
    ]
    replace_rows(models.lake, GENERATIONS, line, pa.Table.from_pylist(written, GENERATIONS.arrow_schema()))
    items = [
        ItemScore(g.generation.task_id, g.value, g.generation.tokens, g.generation.seconds)
        for g in scored.graded
    ]
    Score(
        scored.evaluation_id,
        scored.model_hash,
        models.checkpoint_id(name),
        BENCHMARK,
        scored.benchmark_version,
        METRIC,
        scored.value,
        items,
    ).record(models.lake, line)
