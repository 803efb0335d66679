"""`python -m evaluation.humaneval.generate JOB.json`: what models write for the same problems of HumanEval.

The base is loaded once; each model is the base or the base with an adapter. What lies in the output
directory when it is done: `generations.jsonl` and, last, `result.json`. A killed run goes on where it was.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.humaneval.decode import decode_greedily
from evaluation.humaneval.job import (
    CODE_VERSION,
    Generation,
    GenerationResult,
    HumanEvalJob,
    read_result,
    write_result,
)
from evaluation.humaneval.problems import Problem, choose, load_problems, problems_hash
from evaluation.humaneval.prompts import is_complete, prompt_ids
from evaluation.output import finished
from evaluation.partial import PartialRecords
from evaluation.scoring import by_length, score_models
from winnow.core.errors import ConfigError
from winnow.core.identity import digest
from winnow.models.chat import ChatEncoder
from winnow.models.child import Events, prepare_process, run_program

_PARTIAL = "generations.partial.jsonl"

Prompt = tuple[Problem, tuple[int, ...]]


def generate(raw: Mapping[str, Any], events: Events) -> GenerationResult:
    """What every model of the job writes for every problem, from disk as far as it is there.

    Raises ConfigError for a faulty job, for an output directory that holds another job's, and for a prompt
    that leaves no room in the model's context; RunError for a model that cannot be loaded.
    """
    job = HumanEvalJob.load(raw)
    job.output.mkdir(mode=0o700, parents=True, exist_ok=True)
    problems = choose(load_problems(), job.settings.max_items, job.settings.seed)
    version = job.settings.benchmark_version(job.base, problems_hash(problems))
    fingerprint = digest([version, job.identity()])
    done = finished(job.output, fingerprint, read_result(job.output), "problems", events)
    if done is not None:
        return done
    partial = PartialRecords(job.output / _PARTIAL, fingerprint, Generation, lambda g: (g.model, g.task_id))
    _write(job, problems, partial, events)
    generations = [partial[m.name, p.task_id] for m in job.models for p in problems]
    result = GenerationResult(
        job=fingerprint,
        code_version=CODE_VERSION,
        benchmark_version=version,
        form=job.settings.form,
        task_ids=tuple(p.task_id for p in problems),
        models={m.name: m.hash for m in job.models},
        seconds=round(sum(g.seconds for g in generations), 3),
    )
    write_result(job.output, result, generations)
    partial.path.unlink(missing_ok=True)
    events.send(
        "complete",
        message=f"{len(problems)} problems of HumanEval, {len(job.models)} models: {result.seconds:.0f} s",
    )
    return result


def _write(
    job: HumanEvalJob, problems: Sequence[Problem], partial: PartialRecords[Generation], events: Events
) -> None:
    """Generates what is not on disk yet, model by model, and leaves it in `partial`."""
    prepare_process(job.threads)
    writer = _Writer(job)
    prompts = sorted(writer.prompts(problems), key=lambda p: p[0].task_id)
    room = job.settings.max_new_tokens
    batches = by_length(prompts, lambda p: len(p[1]) + room, job.batch_size, job.batch_tokens)
    left = {
        m.name: [b for b in batches if not all((m.name, p.task_id) in partial for p, _ in b)]
        for m in job.models
    }
    score_models(
        Path(job.base.path),
        job.models,
        left,
        lambda name, model, batch: partial.add(writer.write(name, model, batch)),
        events,
    )


class _Writer:
    """Encodes problems for the job's base, and decodes what models write."""

    def __init__(self, job: HumanEvalJob) -> None:
        from tokenizers import Tokenizer
        from transformers import AutoConfig

        path = Path(job.base.path)
        self._settings = job.settings
        self._tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
        self._encoder = ChatEncoder.from_files(path / "tokenizer.json", Path(job.base.template))
        # Whatever control token comes, the text of the answer ends there
        self._ends = {i for i, t in self._tokenizer.get_added_tokens_decoder().items() if t.special}
        config = AutoConfig.from_pretrained(path, local_files_only=True)
        self._context = int(config.max_position_embeddings)

    def prompts(self, problems: Sequence[Problem]) -> list[Prompt]:
        return [(p, self._encoded(p)) for p in problems]

    def _encoded(self, problem: Problem) -> tuple[int, ...]:
        ids = tuple(prompt_ids(problem, self._settings.form, self._encoder, self._tokenizer))
        if len(ids) + self._settings.max_new_tokens > self._context:
            raise ConfigError(
                f"{problem.task_id}: its prompt takes {len(ids)} of the {self._context} tokens of the model's "
                f"context, {self._settings.max_new_tokens} are to be written. Lower `max_new_tokens`."
            )
        return ids

    def write(self, name: str, model: Any, batch: Sequence[Prompt]) -> list[Generation]:
        started = time.monotonic()
        decoded = decode_greedily(
            model,
            [ids for _, ids in batch],
            self._settings.max_new_tokens,
            self._ends,
            lambda ids: is_complete(self._settings.form, self._text(ids)),
        )
        seconds = round((time.monotonic() - started) / len(batch), 4)
        return [
            Generation(name, problem.task_id, self._text(d.ids), d.ending, len(d.ids), seconds)
            for (problem, _), d in zip(batch, decoded, strict=True)
        ]

    def _text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids)))


if __name__ == "__main__":
    run_program(generate)
