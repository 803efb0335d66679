"""The job file of a HumanEval run and what its child leaves; the files are JSON and JSON Lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from evaluation.humaneval.decode import Ending
from evaluation.humaneval.prompts import ASK, Form
from evaluation.model_job import ModelJob
from evaluation.output import read_fields, read_records, write_output
from winnow.core.config import ConfigModel
from winnow.core.identity import digest
from winnow.models.base_ref import BaseRef

CODE_VERSION = "humaneval-1"
"""Of prompts, decoding, extraction and grading together: raise it when a score could change."""
GENERATIONS = "generations.jsonl"


class HumanEvalSettings(ConfigModel):
    """What a score depends on beside the model: which problems, how they are asked, and how long they may take."""

    max_items: int | None = Field(default=16, ge=1, description="Problems, by hash; null for all 164.")
    seed: int = Field(default=0, ge=0, description="Seed of the choice of problems.")
    form: Form = Field(default="chat", description="`chat`, or `completion` for models that do not chat.")
    max_new_tokens: int = Field(default=160, ge=1, description="Tokens after which an answer is cut.")
    timeout_seconds: float = Field(default=10.0, gt=0, description="Wall time of the tests of one problem.")

    def benchmark_version(self, base: BaseRef, problems_hash: str) -> str:
        """Hash of problems, prompts, decoding and scorer: scores of equal versions compare."""
        prompt = [self.form, ASK, base.template_hash, base.tokenizer_hash]
        limits = [self.max_new_tokens, self.timeout_seconds]
        return digest([CODE_VERSION, problems_hash, prompt, "greedy", limits])


class HumanEvalJob(ModelJob):
    """One generation: models, problems, and how many are decoded at a time.

    Put `output` in the restricted zone: what models write has not been sanitized.
    """

    called = "HumanEval job"

    settings: HumanEvalSettings = HumanEvalSettings()
    batch_size: int = Field(default=24, ge=1)
    batch_tokens: int = Field(default=12_288, ge=16)
    """Tokens a batch, prompts and what is written: keys and values of SmolLM2-135M take 46 kB each."""

    def identity(self) -> list[Any]:
        """What generations depend on beside the problems: settings, base, models, and how prompts are batched."""
        return [
            self.settings.model_dump(),
            self.base.weights_hash,
            self.models_identity(),
            self.batch_size,
            self.batch_tokens,
        ]


@dataclass(frozen=True)
class Generation:
    """What a model wrote for a problem. Unsanitized text: it stays in the restricted zone."""

    model: str
    task_id: str
    text: str
    ending: Ending
    tokens: int
    seconds: float


@dataclass(frozen=True)
class GenerationResult:
    """What was generated; equal `benchmark_version` means equal problems, asked and graded alike."""

    job: str
    code_version: str
    benchmark_version: str
    form: Form
    task_ids: tuple[str, ...]
    models: dict[str, str]
    seconds: float


def write_result(output: Path, result: GenerationResult, generations: Sequence[Generation]) -> None:
    """Writes the generations, then the result that declares them complete, each at once."""
    write_output(output, GENERATIONS, result, generations)


def read_result(output: Path) -> GenerationResult | None:
    """The result in this directory, or None where the generation is not complete."""
    fields = read_fields(output)
    return None if fields is None else GenerationResult(**{**fields, "task_ids": tuple(fields["task_ids"])})


def read_generations(output: Path) -> list[Generation]:
    """The generations of a complete job, model by model, in the order of the problems."""
    return read_records(output, GENERATIONS, Generation)
