"""checkpoint: an adapter trained on one release, provable to the row."""

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg

from assets.checkpoint_records import known_checkpoint, register
from assets.checks import AssetEvents, explained
from assets.model_settings import ModelConfig, work_folder
from assets.release import build_training_release
from assets.release_files import export_rows
from assets.resources import LakeResource
from assets.settings import model_config
from training.base import BaseModel, resolve_base
from training.job import CODE_VERSION, RunResult, SftResult, read_result, write_job
from training.recipe import SftRecipe, load_recipe
from training.verify import read_verification
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.models.child import OFFLINE

ADAPTER_CHECK = "adapter"


def training_key(release: Release, recipe: SftRecipe, base: BaseModel) -> str:
    """What a run is: equal keys train the same adapter, so one that was killed is found again."""
    asked = recipe.model_dump(mode="json", exclude={"save_every"})
    return digest([CODE_VERSION, release.content_hash, asked, base.identity()])


def run_training(
    context: dg.AssetExecutionContext,
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
    run_piped_child(context, [sys.executable, "-m", "training.sft", str(job)])
    result = read_result(output)
    if result is None:
        raise RunError("training ended without a result; run it again, it goes on from its last checkpoint")
    return result, output


def run_piped_child(context: dg.AssetExecutionContext, command: list[str]) -> None:
    """Runs a command whose events go to the Dagster run. Raises RunError with what the child itself said."""
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", dg.PreviewWarning)  # raised by Dagster's own session
        session = stack.enter_context(
            dg.open_pipes_session(
                context=context,
                context_injector=dg.PipesTempFileContextInjector(),
                message_reader=dg.PipesTempFileMessageReader(),
            )
        )
        environment = {**os.environ, **OFFLINE, **session.get_bootstrap_env_vars()}
        with subprocess.Popen(command, env=environment) as child:
            try:
                code = child.wait()
            except BaseException:
                child.send_signal(signal.SIGINT)  # the run was stopped; training keeps its last checkpoint
                raise
    if code:
        said = [m.get("message") for m in session.get_custom_messages() if m.get("event") == "error"]
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise RunError(
            str(said[-1]) if said else f"training {how}; run it again, it goes on from its last checkpoint"
        )


@dataclass(frozen=True)
class Trained:
    """A run of a recipe on a release: found in the lake as `row`, or fresh with its verification's faults."""

    lake: Lake
    config: ModelConfig
    released: Release
    row: dict[str, Any] | None = None
    result: RunResult | None = None
    output: Path | None = None
    faults: tuple[str, ...] = ()
    method: str = "sft"
    parent: str | None = None

    def register(self) -> dict[str, Any]:
        """The checkpoint's record; written now if it is new. Raises DataError for an adapter with faults."""
        if self.row is not None:
            return self.row
        if self.faults:
            raise DataError(
                f"the trained adapter is not registered: {'; '.join(self.faults)}. It lies in {self.output}; "
                "remove that folder and materialize the asset again"
            )
        assert self.result is not None
        assert self.output is not None
        return register(
            self.lake, self.config, self.released, self.result, self.output, self.method, self.parent
        )


def train(context: dg.AssetExecutionContext, lake: LakeResource) -> Trained:
    """The configured recipe on the present release; nothing is trained where its checkpoint is known."""
    opened, config = lake.open(), model_config()
    recipe = load_recipe(config.recipe)
    base = resolve_base(recipe.base)
    released = build_training_release(opened)
    row = known_checkpoint(opened, config.line, released, recipe, base)
    if row is not None:
        return Trained(opened, config, released, row)
    result, output = run_training(context, opened, released, recipe, base, lake.worker_count())
    verified = read_verification(output)
    faults = verified.faults if verified else ("it was not verified",)
    return Trained(opened, config, released, None, result, output, faults)


def trained_metadata(row: Mapping[str, Any], result: RunResult | None) -> dict[str, Any]:
    """What Dagster shows of a checkpoint; losses by step where it was trained just now."""
    told = {name: row[name] for name in ("checkpoint_id", "release", "rows", "tokens", "steps", "final_loss")}
    told["skipped"] = result is None
    if result is not None:
        told["tokens_per_second"] = round(result.tokens / max(result.wall_seconds, 1e-6), 1)
        told["losses"] = {str(step.step): step.loss for step in result.steps}
    return told


def adapter_spec(asset: str) -> dg.AssetCheckSpec:
    """The blocking check of an adapter that was trained."""
    return dg.AssetCheckSpec(
        ADAPTER_CHECK,
        asset=asset,
        blocking=True,
        description="No empty tensor; loads on its base; reproduces its recorded loss.",
    )


def checked_and_registered(work: Callable[[], Trained]) -> AssetEvents:
    """Trains, reports the check of the adapter, and records the checkpoint."""
    trained = yield from explained(work)
    checked = {"skipped": True} if trained.result is None else {"faults": list(trained.faults)}
    yield dg.AssetCheckResult(check_name=ADAPTER_CHECK, passed=not trained.faults, metadata=checked)
    row = yield from explained(trained.register)
    yield dg.MaterializeResult(
        metadata=trained_metadata(row, trained.result), data_version=dg.DataVersion(row["checkpoint_id"])
    )


@dg.asset(
    deps=["release", "sft_train"],
    group_name="checkpoints",
    kinds={"pytorch", "huggingface"},
    owners=["team:training"],
    code_version=CODE_VERSION,
    check_specs=[adapter_spec("checkpoint")],
)
def checkpoint(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """A LoRA adapter trained on the released train set in a child process, which resumes after a kill."""
    yield from checked_and_registered(lambda: train(context, lake))
