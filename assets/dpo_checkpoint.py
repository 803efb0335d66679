"""dpo_checkpoint: the adapter of SFT, gone on by preference pairs of the same release."""

import sys
from pathlib import Path
from typing import Any

import dagster as dg

from assets.checkpoint import Trained, adapter_spec, checked_and_registered, run_piped_child
from assets.checkpoint_records import adapter_folder, adapter_hash, known_checkpoint
from assets.checks import AssetEvents
from assets.model_settings import ModelConfig, work_folder
from assets.release import build_training_release
from assets.release_files import export_pairs
from assets.resources import LakeResource
from assets.settings import model_config
from training.base import BaseModel, resolve_base
from training.dpo_job import CODE_VERSION, DpoResult, StartAdapter, read_result, write_job
from training.dpo_recipe import DpoRecipe, load_dpo_recipe
from training.recipe import load_recipe
from training.verify import read_verification
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release

METHOD = "dpo"


def sft_checkpoint(lake: Lake, config: ModelConfig, release: Release, base: BaseModel) -> dict[str, Any]:
    """The recorded checkpoint that DPO goes on from. Raises DataError where there is none yet."""
    found = known_checkpoint(lake, config.line, release, load_recipe(config.recipe), base)
    if found is None:
        raise DataError(
            "no checkpoint of the present release and recipe: materialize asset `checkpoint` first"
        )
    return found


def known_dpo_checkpoint(
    lake: Lake, config: ModelConfig, release: Release, base: BaseModel, start: dict[str, Any]
) -> dict[str, Any] | None:
    """The recorded checkpoint that went on from `start` by the configured recipe, or None."""
    recipe = load_dpo_recipe(config.dpo_recipe)
    return known_checkpoint(lake, config.line, release, recipe, base, CODE_VERSION, start["checkpoint_id"])


def train(context: dg.AssetExecutionContext, lake: LakeResource) -> Trained:
    """The configured recipe on the present release; nothing is trained where its checkpoint is known."""
    opened, config = lake.open(), model_config()
    recipe = load_dpo_recipe(config.dpo_recipe)
    base = resolve_base(load_recipe(config.recipe).base)
    released = build_training_release(opened)
    start = sft_checkpoint(opened, config, released, base)
    row = known_dpo_checkpoint(opened, config, released, base, start)
    if row is not None:
        return Trained(opened, config, released, row)
    result, output = _run(context, opened, released, recipe, base, start, lake.worker_count())
    verified = read_verification(output)
    faults = verified.faults if verified else ("it was not verified",)
    return Trained(opened, config, released, None, result, output, faults, METHOD, start["checkpoint_id"])


def _run(
    context: dg.AssetExecutionContext,
    lake: Lake,
    release: Release,
    recipe: DpoRecipe,
    base: BaseModel,
    start: dict[str, Any],
    threads: int,
) -> tuple[DpoResult, Path]:
    """Trains in a child whose progress streams into the Dagster run; a killed run goes on from its checkpoint."""
    asked = recipe.model_dump(mode="json", exclude={"save_every"})
    key = digest([CODE_VERSION, release.content_hash, asked, base.identity(), start["checkpoint_id"]])
    folder = work_folder(f"training/{key}")
    export_pairs(lake, release, "train", folder / "pairs.parquet")
    adapter = StartAdapter(path=adapter_folder(lake, start), hash=adapter_hash(start))
    output = folder / "output"
    job = write_job(folder / "job.json", recipe, folder / "pairs.parquet", output, base, adapter, threads)
    run_piped_child(context, [sys.executable, "-m", "training.dpo", str(job)])
    result = read_result(output)
    if result is None:
        raise RunError("training ended without a result; run it again, it goes on from its last checkpoint")
    return result, output


@dg.asset(
    deps=["checkpoint", "release", "preference_pairs"],
    group_name="checkpoints",
    kinds={"pytorch", "huggingface"},
    owners=["team:training"],
    code_version=CODE_VERSION,
    check_specs=[adapter_spec("dpo_checkpoint")],
)
def dpo_checkpoint(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """The adapter of `checkpoint` after direct preference optimization on the pairs of its release."""
    yield from checked_and_registered(lambda: train(context, lake))
