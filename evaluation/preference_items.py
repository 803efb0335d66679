"""The job file of a preference evaluation and what it leaves; the files are JSON and JSON Lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from evaluation.items import ITEMS, ModelRef
from evaluation.output import read_fields, read_records, write_output
from winnow.core.config import ConfigModel, load_model
from winnow.core.errors import near_miss
from winnow.models.base_ref import BaseRef
from winnow.models.child import write_json


class PreferenceJob(ConfigModel):
    """One evaluation: models, pairs, how many of them by the hash of seed and id, and where they are cut."""

    base: BaseRef
    models: tuple[ModelRef, ...] = Field(min_length=1)
    reference: str
    """Which of the models the others are measured against: the adapter that DPO started from."""
    pairs: Path
    """Parquet: row_id, source, content_hash, messages, chosen, rejected, meta."""
    output: Path
    group: str | None = None
    """What pairs of one kind share: a column, or a key of `meta` as `meta.distribution`."""
    sequence_len: int = Field(default=512, ge=16)
    """Tokens a side; what is longer is cut at the end of the answer."""
    max_pairs: int | None = Field(default=None, ge=1)
    seed: int = 0
    batch_pairs: int = Field(default=2, ge=1)
    batch_tokens: int = Field(default=1024, ge=16)
    """Padded tokens a batch: logits take 4 bytes x vocabulary each."""
    threads: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        names = [m.name for m in self.models]
        if len(set(names)) != len(names):
            raise ValueError(f"two models share a name ({', '.join(names)}). Name each once")
        if self.reference not in names:
            raise ValueError(
                f"`reference` is {self.reference!r}, which is no model of the job."
                f"{near_miss(self.reference, names)} Write one of {', '.join(names)}"
            )
        return self

    def identity(self) -> list[Any]:
        """What the items depend on beside the pairs: base, models, grouping, and how pairs are batched."""
        models = sorted([m.name, m.hash, m.adapter is None] for m in self.models)
        return [self.base.weights_hash, models, self.group, self.batch_pairs, self.batch_tokens]


def load_job(raw: Any) -> PreferenceJob:
    """The job of a decoded job file. Raises ConfigError with every fault."""
    return load_model(PreferenceJob, raw, "preference job")


def write_job(
    path: Path,
    *,
    base: Mapping[str, str],
    models: Sequence[ModelRef],
    reference: str,
    pairs: Path,
    output: Path,
    **settings: Any,
) -> Path:
    """Writes the job file that `python -m evaluation.preference_accuracy` reads, and returns its path.

    `base` is the base as a mapping (`training.base.as_dict`); `settings` are the other fields of PreferenceJob.
    Raises ConfigError with every fault.
    """
    raw = {
        "base": dict(base),
        "models": [m.model_dump(mode="json") for m in models],
        "reference": reference,
        "pairs": str(pairs),
        "output": str(output),
        **settings,
    }
    write_json(path, load_job(raw).model_dump(mode="json"))
    return path


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
