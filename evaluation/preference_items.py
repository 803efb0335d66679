"""The job file of a preference evaluation and what it leaves; the files are JSON and JSON Lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from evaluation.items import ITEMS
from evaluation.model_job import ModelJob
from evaluation.output import read_fields, read_records, write_output
from winnow.core.errors import near_miss


class PreferenceJob(ModelJob):
    """One evaluation: models, pairs, how many of them by the hash of seed and id, and where they are cut."""

    called = "preference job"

    reference: str
    """Which of the models the others are measured against: the adapter that DPO started from."""
    pairs: Path
    """Parquet: row_id, source, content_hash, messages, chosen, rejected, meta."""
    group: str | None = None
    """What pairs of one kind share: a column, or a key of `meta` as `meta.distribution`."""
    sequence_len: int = Field(default=512, ge=16)
    """Tokens a side; what is longer is cut at the end of the answer."""
    max_pairs: int | None = Field(default=None, ge=1)
    seed: int = 0
    batch_pairs: int = Field(default=2, ge=1)
    batch_tokens: int = Field(default=1024, ge=16)
    """Padded tokens a batch: logits take 4 bytes x vocabulary each."""

    @model_validator(mode="after")
    def _reference_is_a_model(self) -> Self:
        names = [m.name for m in self.models]
        if self.reference not in names:
            raise ValueError(
                f"`reference` is {self.reference!r}, which is no model of the job."
                f"{near_miss(self.reference, names)} Write one of {', '.join(names)}"
            )
        return self

    def identity(self) -> list[Any]:
        """What the items depend on beside the pairs: base, models, grouping, and how pairs are batched."""
        models = self.models_identity()
        return [self.base.weights_hash, models, self.group, self.batch_pairs, self.batch_tokens]


@dataclass(frozen=True)
class PairItem:
    """A pair under a model: log-likelihood (nats) of each answer after the prompt, summed over its tokens."""

    model: str
    item_id: str
    group: str | None
    chosen_logp: float
    rejected_logp: float
    chosen_tokens: int
    rejected_tokens: int
    seconds: float


@dataclass(frozen=True)
class PreferenceResult:
    """What was evaluated; equal `benchmark_version` means equal pairs, cut and encoded alike."""

    job: str
    code_version: str
    benchmark_version: str
    sequence_len: int
    pairs: int
    refused: tuple[dict[str, str], ...]
    """Row id and reason of each pair that cannot be scored."""
    truncated_pairs: int
    groups: int | None
    """How many groups the pairs are of, where they are grouped."""
    models: dict[str, str]
    seconds: float


def write_result(output: Path, result: PreferenceResult, items: Sequence[PairItem]) -> None:
    """Writes the items, then the result that declares them complete, each at once."""
    write_output(output, ITEMS, result, items)


def read_result(output: Path) -> PreferenceResult | None:
    """The result in this directory, or None where the evaluation is not complete."""
    fields = read_fields(output)
    return None if fields is None else PreferenceResult(**{**fields, "refused": tuple(fields["refused"])})


def read_items(output: Path, model: str | None = None) -> list[PairItem]:
    """The items of a complete evaluation, of one model or of all, in the order of the pairs."""
    return [i for i in read_records(output, ITEMS, PairItem) if model in (None, i.model)]
