"""The job file of a held-out evaluation and what it leaves; the files are JSON and JSON Lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from evaluation.output import read_fields, read_records, write_output
from winnow.core.config import ConfigModel, load_model
from winnow.models.base_ref import BaseRef
from winnow.models.child import write_json

ITEMS = "items.jsonl"


class ModelRef(ConfigModel):
    """A model to score: the base where `adapter` is null, else the base with the adapter in that directory.

    `hash` says what it is: the hash of the base's weights, or that of the adapter's.
    """

    name: str = Field(pattern=r"^[a-z0-9_-]+$")
    hash: str = Field(min_length=1)
    adapter: Path | None = None


class HeldoutJob(ConfigModel):
    """One evaluation: models, rows, how many of them by the hash of seed and id, and where they are cut."""

    base: BaseRef
    models: tuple[ModelRef, ...] = Field(min_length=1)
    rows: Path
    output: Path
    sequence_len: int = Field(default=512, ge=16)
    max_rows: int | None = Field(default=None, ge=1)
    kinds: tuple[str, ...] = ()
    seed: int = 0
    batch_size: int = Field(default=4, ge=1)
    batch_tokens: int = Field(default=1024, ge=16)
    """Padded tokens a batch: logits take 4 bytes x vocabulary each."""
    threads: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [m.name for m in self.models]
        if len(set(names)) != len(names):
            raise ValueError(f"two models share a name ({', '.join(names)}). Name each once")
        return self

    def identity(self) -> list[Any]:
        """What the items depend on beside the rows: base, models, and how rows are batched."""
        models = sorted([m.name, m.hash, m.adapter is None] for m in self.models)
        return [self.base.weights_hash, models, self.batch_size, self.batch_tokens]


def load_job(raw: Any) -> HeldoutJob:
    """The job of a decoded job file. Raises ConfigError with every fault."""
    return load_model(HeldoutJob, raw, "evaluation job")


def write_job(
    path: Path,
    *,
    base: Mapping[str, str],
    models: Sequence[ModelRef],
    rows: Path,
    output: Path,
    **settings: Any,
) -> Path:
    """Writes the job file that `python -m evaluation.heldout_loss` reads, and returns its path.

    `base` is the base as a mapping (`training.base.as_dict`); `settings` are the other fields of HeldoutJob.
    Raises ConfigError with every fault.
    """
    raw = {
        "base": dict(base),
        "models": [m.model_dump(mode="json") for m in models],
        "rows": str(rows),
        "output": str(output),
        **settings,
    }
    write_json(path, load_job(raw).model_dump(mode="json"))
    return path


@dataclass(frozen=True)
class Item:
    """A row under a model: summed negative log-likelihood in nats over the tokens the assistant wrote."""

    model: str
    item_id: str
    nll: float
    tokens: int
    seconds: float

    @property
    def value(self) -> float:
        """Nats a token."""
        return self.nll / self.tokens


@dataclass(frozen=True)
class HeldoutResult:
    """What was evaluated; equal `benchmark_version` means equal rows, cut and encoded alike."""

    job: str
    code_version: str
    benchmark_version: str
    sequence_len: int
    rows: int
    skipped: tuple[str, ...]
    """Ids of rows without a token to score."""
    truncated_rows: int
    models: dict[str, str]
    seconds: float


def write_result(output: Path, result: HeldoutResult, items: Sequence[Item]) -> None:
    """Writes the items, then the result that declares them complete, each at once."""
    write_output(output, ITEMS, result, items)


def read_result(output: Path) -> HeldoutResult | None:
    """The result in this directory, or None where the evaluation is not complete."""
    fields = read_fields(output)
    return None if fields is None else HeldoutResult(**{**fields, "skipped": tuple(fields["skipped"])})


def read_items(output: Path, model: str | None = None) -> list[Item]:
    """The items of a complete evaluation, of one model or of all, in the order of the rows."""
    return [i for i in read_records(output, ITEMS, Item) if model in (None, i.model)]
