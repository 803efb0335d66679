"""checkpoint: an adapter trained on one release, provable to the row."""

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow.parquet as pq

from assets.checkpoint_records import known_checkpoint, register
from assets.model_settings import work_folder
from assets.release import RELEASED
from assets.resources import LakeResource
from assets.settings import model_config
from schemas.rows import SFT_TRAIN
from training.base import BaseModel, resolve_base
from training.job import CODE_VERSION, SftResult, read_result, write_job
from training.recipe import SftRecipe, load_recipe
from training.verify import read_verification
from winnow.core.errors import RunError, WinnowError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.release import build_release, scan_release
from winnow.models.child import OFFLINE, run_child

ADAPTER_CHECK = "adapter"


def training_key(release: Release, recipe: SftRecipe, base: BaseModel) -> str:
    """What a run is: equal keys train the same adapter, so one that was killed is found again."""
    asked = recipe.model_dump(mode="json", exclude={"save_every"})
    return digest([CODE_VERSION, release.content_hash, asked, base.identity()])


def export_rows(lake: Lake, release: Release, table: str, path: Path) -> None:
    """Writes exactly the rows that a release pins, for a child process to read."""
    partial = path.with_suffix(".partial")
    with pq.ParquetWriter(partial, SFT_TRAIN.arrow_schema(), compression="zstd") as writer:
        for batch in scan_release(lake, release, table):
            writer.write_batch(batch)
    partial.replace(path)


def run_training(
    context: dg.AssetExecutionContext,
    pipes: dg.PipesSubprocessClient,
    lake: Lake,
    release: Release,
    recipe: SftRecipe,
    base: BaseModel,
    threads: int,
) -> tuple[SftResult, Path]:
    """Trains in a child whose progress streams into the Dagster run; a killed run goes on from its checkpoint."""
    folder = work_folder(f"training/{training_key(release, recipe, base)}")
    export_rows(lake, release, "sft_train", folder / "rows.parquet")
    output = folder / "output"
    job = write_job(folder / "job.json", recipe, folder / "rows.parquet", output, base, threads)
    command = [sys.executable, "-m", "training.sft", str(job)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.PreviewWarning)  # raised by Dagster's own Pipes client
        pipes.run(command=command, context=context, env=dict(OFFLINE), cwd=os.getcwd())
    result = read_result(output)
    if result is None:
        raise RunError("training ended without a result; run it again, it goes on from its last checkpoint")
    run_child("training.verify", job, lambda event: context.log.info(str(event.get("message", ""))))
    return result, output


def _metadata(row: Mapping[str, Any], result: SftResult | None) -> dict[str, Any]:
    told = {name: row[name] for name in ("checkpoint_id", "release", "rows", "tokens", "steps", "final_loss")}
    told["skipped"] = result is None
    if result is not None:
        told["tokens_per_second"] = round(result.tokens / max(result.wall_seconds, 1e-6), 1)
        told["losses"] = {str(step.step): step.loss for step in result.steps}
    return told


@dg.asset(
    deps=["release", "sft_train"],
    group_name="checkpoints",
    kinds={"pytorch", "huggingface"},
    owners=["team:training"],
    code_version=CODE_VERSION,
    check_specs=[
        dg.AssetCheckSpec(
            ADAPTER_CHECK,
            asset="checkpoint",
            blocking=True,
            description="No empty tensor; loads on its base; reproduces its recorded loss.",
        )
    ],
)
def checkpoint(
    context: dg.AssetExecutionContext, lake: LakeResource, pipes: dg.PipesSubprocessClient
) -> Iterator[Any]:
    """A LoRA adapter trained on the released train set in a child process, which resumes after a kill."""
    opened, config = lake.open(), model_config()
    result = None
    try:
        recipe = load_recipe(config.recipe)
        base = resolve_base(recipe.base)
        released = build_release(opened, tables=RELEASED)
        row = known_checkpoint(opened, config.line, released, recipe, base)
        if row is None:
            result, output = run_training(context, pipes, opened, released, recipe, base, lake.worker_count())
            verified = read_verification(output)
            faults = list(verified.faults) if verified else ["it was not verified"]
            yield dg.AssetCheckResult(
                check_name=ADAPTER_CHECK, passed=not faults, metadata={"faults": faults}
            )
            row = register(opened, config, released, result, output)
        else:
            yield dg.AssetCheckResult(check_name=ADAPTER_CHECK, passed=True, metadata={"skipped": True})
    except WinnowError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from None
    yield dg.MaterializeResult(
        metadata=_metadata(row, result), data_version=dg.DataVersion(row["checkpoint_id"])
    )
