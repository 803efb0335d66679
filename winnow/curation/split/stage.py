"""The stage that writes the training rows, and says which rows are held out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from winnow.core.stage import StageOutput, Verdict, verdict_batch
from winnow.curation.dedup.shingles import shingle_sets
from winnow.curation.split.config import CODE_VERSION, SplitConfig
from winnow.curation.split.heldout import HeldoutIndex
from winnow.curation.text import batch_texts

NEAR_COPY: Final = "heldout-near-copy"


@dataclass
class SplitStage:
    """Keeps the rows to train on.

    Drops, each under its rule: `kind-not-trained`; `heldout-group`, the rows to evaluate on;
    `heldout-surplus`, rows of held-out groups beyond the cap; `heldout-near-copy`, with containment and
    held-out row; `not-sampled`, rows beyond the cap on training.
    Near copies are in neither set: were they evaluated, their own near copies would be a leak in turn.
    """

    config: SplitConfig
    index: HeldoutIndex
    name = "split"
    code_version = CODE_VERSION

    def identity(self) -> Mapping[str, Any]:
        return {"config": self.config.model_dump(mode="json"), "heldout": self.index.digest()}

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        places: list[str] = list(self.index.plan.places(batch))
        near = self._near_copies(batch, [place in ("train", "not-sampled") for place in places])
        ids: list[Any] = batch.column("row_id").to_pylist()
        sources: list[Any] = batch.column("source").to_pylist()
        verdicts = []
        for number, place in enumerate(places):
            matched, score = near.get(number, (None, None))
            rule = NEAR_COPY if matched else place
            if rule != "train":
                verdicts.append(
                    Verdict(ids[number], sources[number], "drop", rule, score=score, matched_id=matched)
                )
        kept = batch.filter(
            pa.array([p == "train" and n not in near for n, p in enumerate(places)], pa.bool_())
        )
        return StageOutput(batch.num_rows, kept, verdict_batch(verdicts))

    def heldout_rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a batch to evaluate on: those that `run` drops as `heldout-group`."""
        places = self.index.plan.places(batch)
        return batch.filter(pa.array([place == "heldout-group" for place in places], pa.bool_()))

    def _near_copies(self, batch: pa.RecordBatch, asked: list[bool]) -> dict[int, tuple[str, float]]:
        """By row number, among the rows asked for, the held-out row that is too near and its containment."""
        numbers = [number for number, ask in enumerate(asked) if ask]
        texts = shingle_sets(batch_texts(batch.filter(pa.array(asked, pa.bool_()))), self.config.ngram)
        found = zip(numbers, self.index.nearest(texts), strict=True)
        return {n: near for n, near in found if near and near[1] >= self.config.containment}
