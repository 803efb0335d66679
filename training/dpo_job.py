"""The job file of a DPO run and the result that it leaves; both are JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from training.base import BaseModel, as_dict
from training.dpo_recipe import DpoRecipe
from training.job import RunResult, Step, read_fields
from winnow.core.config import ConfigModel, load_model
from winnow.models.base_ref import BaseRef
from winnow.models.child import write_json

# What a run computes; moved by hand when that changes
CODE_VERSION = "dpo-1"


class StartAdapter(ConfigModel):
    """The adapter that a run goes on from, which is its reference too."""

    path: Path
    """A directory as SFT leaves it under `adapter/`."""
    hash: str = Field(min_length=1)
    """What must lie there: `training.adapter.adapter_hash`."""


class DpoJob(ConfigModel):
    """One run: recipe, Parquet file of pairs, directory to write into, base, adapter to start from, threads."""

    recipe: DpoRecipe
    pairs: Path
    output: Path
    base: BaseRef
    start: StartAdapter
    threads: int = Field(default=2, ge=1)

    def model(self) -> BaseModel:
        return BaseModel(**self.base.model_dump())


def load_job(raw: Any) -> DpoJob:
    """The job of a decoded job file. Raises ConfigError with every fault."""
    return load_model(DpoJob, raw, "DPO job")


def write_job(
    path: Path,
    recipe: DpoRecipe,
    pairs: Path,
    output: Path,
    base: BaseModel,
    start: StartAdapter,
    threads: int = 2,
) -> Path:
    """Writes the job file that `python -m training.dpo` reads, and returns its path."""
    write_json(
        path,
        {
            "recipe": recipe.model_dump(mode="json"),
            "pairs": str(pairs),
            "output": str(output),
            "base": as_dict(base),
            "start": start.model_dump(mode="json"),
            "threads": threads,
        },
    )
    return path


@dataclass(frozen=True)
class DpoStep(Step):
    """One optimizer step; a reward is beta times the log ratio (nats) of an answer to the reference.

    `tokens` are those of both sequences of each pair, `trained_tokens` those of the answers.
    """

    chosen_reward: float
    rejected_reward: float
    margin: float
    """Mean of chosen minus rejected reward; 0 at the first step."""
    accuracy: float
    """Share of pairs whose chosen reward is the higher; a tie is not, so it is 0 at the first step."""


@dataclass(frozen=True)
class DpoResult(RunResult):
    """What a run of DPO did; its rows are pairs."""

    start: str
    """Hash of the adapter it started from."""


def read_result(output: Path) -> DpoResult | None:
    """The result in this directory, or None where the run is not complete."""
    fields = read_fields(output, DpoStep)
    return None if fields is None else DpoResult(**fields)
