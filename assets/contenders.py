"""Which models an evaluation compares: the base, the new checkpoint, where it came from, and the champion."""

from dataclasses import dataclass
from typing import Any

from assets.checkpoint_records import adapter_folder, adapter_hash, checkpoint_by_id
from assets.dpo_checkpoint import known_dpo_checkpoint, sft_checkpoint
from assets.model_settings import ModelConfig
from assets.release import build_training_release
from assets.release_files import has_pairs, pair_groups
from evaluation.model_job import ModelRef
from training.base import BaseModel, resolve_base
from training.recipe import load_recipe
from winnow.core.errors import DataError
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.registry import aliases
from winnow.sandbox import unavailable

BASE, START, CANDIDATE, CHAMPION = "base", "start", "candidate", "champion"
NO_PAIRS = (
    "no preference pair to train on could be made of these sources. Add functions with doctests, or take "
    "`preference_accuracy` out of the gates file"
)


@dataclass(frozen=True)
class Contenders:
    """The base, and the checkpoints by their part: candidate, champion, and `start`, which DPO went on from.

    `not_aligned` says why the candidate is the checkpoint of SFT, where no pairs could be made.
    """

    lake: Lake
    config: ModelConfig
    release: Release
    base: BaseModel
    checkpoints: dict[str, dict[str, Any]]
    not_aligned: str | None = None

    @property
    def candidate(self) -> dict[str, Any]:
        return self.checkpoints[CANDIDATE]

    @property
    def against(self) -> str:
        """The part of the model that the candidate has to hold up against."""
        return CHAMPION if CHAMPION in self.checkpoints else BASE

    def checkpoint_id(self, name: str) -> str | None:
        """Of a part; None for the base."""
        return None if name == BASE else str(self.checkpoints[name]["checkpoint_id"])

    def refs(self, *names: str) -> list[ModelRef]:
        """What an evaluation is given for each part that there is."""
        found = []
        for name in names:
            if name == BASE:
                found.append(ModelRef(name=name, hash=self.base.weights_hash))
            elif name in self.checkpoints:
                row = self.checkpoints[name]
                folder = adapter_folder(self.lake, row)
                found.append(ModelRef(name=name, hash=adapter_hash(row), adapter=folder))
        return found


def contenders(lake: Lake, config: ModelConfig) -> Contenders:
    """The models of the present release and recipes. Raises DataError where a checkpoint is still to be trained."""
    release = build_training_release(lake)
    base = resolve_base(load_recipe(config.recipe).base)
    start = sft_checkpoint(lake, config, release, base)
    aligned = known_dpo_checkpoint(lake, config, release, base, start)
    fix = None
    if aligned is None:
        fix = why_not_aligned(lake, release)
        if fix is None:
            raise DataError(
                "no checkpoint went on by preferences from that of the present release: "
                "materialize asset `dpo_checkpoint` first"
            )
    found = {CANDIDATE: start} if aligned is None else {START: start, CANDIDATE: aligned}
    champion = aliases(lake, config.line).get(CHAMPION)
    if champion is not None and champion.checkpoint_id != found[CANDIDATE]["checkpoint_id"]:
        found[CHAMPION] = checkpoint_by_id(lake, config.line, champion.checkpoint_id)
    return Contenders(lake, config, release, base, found, fix)


def why_not_aligned(lake: Lake, release: Release) -> str | None:
    """Why no checkpoint can go on by the preference pairs of a release; None where one can, or pairs can be made."""
    if not has_pairs(release):
        return unavailable()
    return None if pair_groups(lake, release, "train") else NO_PAIRS
