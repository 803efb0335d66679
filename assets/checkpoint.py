"""checkpoint: an adapter trained on one release, provable to the row."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq

from assets.model_settings import ModelConfig, work_folder
from assets.release import RELEASED
from assets.resources import LakeResource
from assets.settings import model_config
from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from schemas.rows import SFT_TRAIN
from training.base import BaseModel, resolve_base
from training.job import CODE_VERSION, SftResult, read_result, write_job
from training.recipe import SftRecipe, load_recipe
from training.verify import verify_adapter
from winnow.core.errors import RunError, WinnowError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.records import records, replace_rows
from winnow.lake.release import build_release, scan_release
from winnow.models.child import OFFLINE

FILES = "checkpoint_files"


def training_key(release: Release, recipe: SftRecipe, base: BaseModel) -> str:
    """What a run is: equal keys train the same adapter."""
    asked = recipe.model_dump(mode="json", exclude={"save_every"})
    return digest([CODE_VERSION, release.content_hash, asked, base.identity()])


def export_rows(lake: Lake, release: Release, table: str, path: Path) -> None:
    """Writes exactly the rows that a release pins, for a child process to read."""
    partial = path.with_suffix(".partial")
    with pq.ParquetWriter(partial, SFT_TRAIN.arrow_schema(), compression="zstd") as writer:
        for batch in scan_release(lake, release, table):
            writer.write_batch(batch)
    partial.replace(path)


def train(
    context: dg.AssetExecutionContext, pipes: dg.PipesSubprocessClient, job: Path, output: Path, threads: int
) -> SftResult:
    """Runs the training child; its progress streams into the Dagster run. A child that was killed goes on."""
    env = {**OFFLINE, "OMP_NUM_THREADS": str(threads)}
    pipes.run(
        command=[sys.executable, "-m", "training.sft", str(job)], context=context, env=env, cwd=os.getcwd()
    )
    result = read_result(output)
    if result is None:
        raise RunError("training ended without a result; run it again, it goes on from its last checkpoint")
    return result


def register(
    lake: Lake, config: ModelConfig, release: Release, result: SftResult, output: Path
) -> dict[str, Any]:
    """Uploads the adapter and records the checkpoint with every row it saw, in order."""
    order = digest([row.row_id for row in result.rows])
    recipe = json.dumps(result.recipe, sort_keys=True)
    base = result.base["weights_hash"]
    name = digest([release.content_hash, result.base, recipe, result.code_version, order])
    zone = lake.zone("open")
    files = []
    for file in result.files:
        path = f"{FILES}/{name}/{file.path}"
        zone.put(path, (output / file.path).read_bytes())
        files.append({"path": path, "size": file.size, "sha256": file.sha256})
    row = {
        "checkpoint_id": name,
        "model": config.line,
        "release": release.name,
        "release_hash": release.content_hash,
        "base_hash": base,
        "config": recipe,
        "code_version": result.code_version,
        "row_order_hash": order,
        "rows": len({row.row_id for row in result.rows}),
        "tokens": result.tokens,
        "steps": len(result.steps),
        "final_loss": result.final_loss,
        "files": json.dumps(files, sort_keys=True),
        "wall_seconds": result.wall_seconds,
        "created_at": datetime.now(UTC),
    }
    trained = [
        {
            "checkpoint_id": name,
            "model": config.line,
            "position": row.position,
            "row_id": row.row_id,
            "source_of_row": row.source,
            "content_hash": row.content_hash,
        }
        for row in result.rows
    ]
    replace_rows(
        lake, CHECKPOINT_ROWS, config.line, pa.Table.from_pylist(trained, CHECKPOINT_ROWS.arrow_schema())
    )
    replace_rows(lake, CHECKPOINTS, config.line, pa.Table.from_pylist([row], CHECKPOINTS.arrow_schema()))
    return row


def known_checkpoint(lake: Lake, line: str, release: Release, recipe: SftRecipe, base: BaseModel) -> Any:
    """The recorded checkpoint of this release, recipe and base, or None."""
    config = json.dumps(recipe.model_dump(mode="json"), sort_keys=True)
    asked = (release.content_hash, config, base.weights_hash, CODE_VERSION)
    for row in records(lake, CHECKPOINTS, line):
        if (row["release_hash"], row["config"], row["base_hash"], row["code_version"]) == asked:
            return row
    return None


def adapter_folder(lake: Lake, checkpoint: Mapping[str, Any]) -> Path:
    """The adapter of a checkpoint as a local directory; downloaded and checked against its hashes where needed."""
    from hashlib import sha256

    zone = lake.zone("open")
    folder = work_folder(f"adapters/{checkpoint['checkpoint_id']}")
    for file in json.loads(checkpoint["files"]):
        target = folder / Path(file["path"]).name
        if not target.exists() or sha256(target.read_bytes()).hexdigest() != file["sha256"]:
            data = zone.read_bytes(file["path"])
            if sha256(data).hexdigest() != file["sha256"]:
                raise RunError(f"{zone.uri(file['path'])} is not the file that was registered; restore it")
            target.write_bytes(data)
    return folder


def _metadata(row: Mapping[str, Any], result: SftResult | None) -> dict[str, Any]:
    told = {
        "checkpoint_id": row["checkpoint_id"],
        "release": row["release"],
        "rows": row["rows"],
        "tokens": row["tokens"],
        "steps": row["steps"],
        "final_loss": row["final_loss"],
        "skipped": result is None,
    }
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
            "adapter",
            asset="checkpoint",
            blocking=True,
            description="No empty or constant tensor; loads on its base; reproduces its recorded loss.",
        )
    ],
)
def checkpoint(
    context: dg.AssetExecutionContext, lake: LakeResource, pipes: dg.PipesSubprocessClient
) -> Iterator[Any]:
    """A LoRA adapter trained on the released train set in a child process, which resumes after a kill."""
    opened, config = lake.open(), model_config()
    try:
        recipe = load_recipe(config.recipe)
        base = resolve_base(recipe.base)
        released = build_release(opened, tables=RELEASED)
        row, result = known_checkpoint(opened, config.line, released, recipe, base), None
        if row is None:
            folder = work_folder(f"training/{training_key(released, recipe, base)}")
            export_rows(opened, released, "sft_train", folder / "rows.parquet")
            output = folder / "output"
            job = write_job(
                folder / "job.json", recipe, folder / "rows.parquet", output, base, lake.worker_count()
            )
            result = train(context, pipes, job, output, lake.worker_count())
            report = verify_adapter(output)
            yield dg.AssetCheckResult(
                check_name="adapter", passed=report.passed, metadata={"failures": list(report.failures)}
            )
            if not report.passed:
                raise RunError(f"the adapter failed verification: {'; '.join(report.failures)}")
            row = register(opened, config, released, result, output)
        else:
            yield dg.AssetCheckResult(check_name="adapter", passed=True, metadata={"skipped": True})
    except WinnowError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from None
    yield dg.MaterializeResult(
        metadata=_metadata(row, result), data_version=dg.DataVersion(row["checkpoint_id"])
    )
