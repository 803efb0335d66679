"""The job file of a held-out evaluation and what it leaves; the files are JSON and JSON Lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from evaluation.model_job import ModelJob
from evaluation.output import read_fields, read_records, write_output

ITEMS = "items.jsonl"


class HeldoutJob(ModelJob):
    """One evaluation: models, rows, how many of them by the hash of seed and id, and where they are cut."""

    called = "evaluation job"

    rows: Path
    sequence_len: int = Field(default=512, ge=16)
    max_rows: int | None = Field(default=None, ge=1)
    kinds: tuple[str, ...] = ()
    seed: int = 0
    batch_size: int = Field(default=4, ge=1)
    batch_tokens: int = Field(default=1024, ge=16)
    """Padded tokens a batch: logits take 4 bytes x vocabulary each."""

    def identity(self) -> list[Any]:
        """What the items depend on beside the rows: base, models, and how rows are batched."""
        return [self.base.weights_hash, self.models_identity(), self.batch_size, self.batch_tokens]


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
