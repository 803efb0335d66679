"""The job file of a training run and the result that it leaves; both are JSON."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.base import BaseModel, as_dict
from training.recipe import SftRecipe
from winnow.core.config import ConfigModel, load_model
from winnow.models.base_ref import BaseRef
from winnow.models.child import write_json

# What a run computes; moved by hand when that changes
CODE_VERSION = "sft-1"
RESULT = "result.json"
ADAPTER = "adapter"
PROBE = "probe.json"


class SftJob(ConfigModel):
    """One run: recipe, file of rows (.parquet or JSON Lines), directory to write into, base, threads."""

    recipe: SftRecipe
    rows: Path
    output: Path
    base: BaseRef
    threads: int = 2

    def model(self) -> BaseModel:
        return BaseModel(**self.base.model_dump())


def load_job(raw: Any) -> SftJob:
    """The job of a decoded job file. Raises ConfigError with every fault."""
    return load_model(SftJob, raw, "training job")


def write_job(
    path: Path, recipe: SftRecipe, rows: Path, output: Path, base: BaseModel, threads: int = 2
) -> Path:
    """Writes the job file that `python -m training.sft` reads, and returns its path."""
    write_json(
        path,
        {
            "recipe": recipe.model_dump(mode="json"),
            "rows": str(rows),
            "output": str(output),
            "base": as_dict(base),
            "threads": threads,
        },
    )
    return path


@dataclass(frozen=True)
class Step:
    """One optimizer step: mean loss over the tokens learned from (nats), and the rows in order."""

    step: int
    loss: float
    learning_rate: float
    tokens: int
    trained_tokens: int
    row_ids: tuple[str, ...]


@dataclass(frozen=True)
class TrainedRow:
    """An example: its position in training from 0, and the row it was."""

    position: int
    step: int
    row_id: str
    source: str
    content_hash: str


@dataclass(frozen=True)
class OutputFile:
    """A file of the adapter: path inside the output directory, bytes, SHA-256."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Probe:
    """Rows whose mean loss (nats a token) was taken at the end, which the adapter on disk has to reproduce.

    Their tokens lie in `probe.json` beside the result, so that the result itself holds no text.
    """

    row_ids: tuple[str, ...]
    loss: float
    base_loss: float
    """Loss of the same rows without the adapter."""


@dataclass(frozen=True)
class RunResult:
    """What a run did, whatever its method. The file that holds it is written last: where it is, the run is complete."""

    job: str
    """Fingerprint of recipe, base, rows in order and code."""
    code_version: str
    recipe: dict[str, Any]
    base: dict[str, str]
    steps: tuple[Step, ...]
    rows: tuple[TrainedRow, ...]
    refused: tuple[dict[str, str], ...]
    truncated_rows: int
    tokens: int
    trained_tokens: int
    wall_seconds: float
    files: tuple[OutputFile, ...]
    probe: Probe
    versions: dict[str, str]

    @property
    def final_loss(self) -> float:
        """Mean loss of the last step."""
        return self.steps[-1].loss


@dataclass(frozen=True)
class SftResult(RunResult):
    """What a run of supervised fine-tuning did."""


def write_result(output: Path, result: RunResult) -> None:
    """Writes `result.json` at once."""
    write_json(output / RESULT, asdict(result))


def read_result(output: Path) -> SftResult | None:
    """The result in this directory, or None where the run is not complete."""
    fields = read_fields(output, Step)
    return None if fields is None else SftResult(**fields)


def read_fields(output: Path, step: type[Step]) -> dict[str, Any] | None:
    """The fields of the result in this directory, its steps of the class `step`; None where there is none."""
    path = output / RESULT
    if not path.exists():
        return None
    raw = json.loads(path.read_text(encoding="utf-8"))
    return {
        **raw,
        "steps": tuple(step(**{**s, "row_ids": tuple(s["row_ids"])}) for s in raw["steps"]),
        "rows": tuple(TrainedRow(**r) for r in raw["rows"]),
        "refused": tuple(raw["refused"]),
        "files": tuple(OutputFile(**f) for f in raw["files"]),
        "probe": Probe(**{**raw["probe"], "row_ids": tuple(raw["probe"]["row_ids"])}),
    }
