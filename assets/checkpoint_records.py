"""Checkpoints in the lake: what is recorded of one, and its adapter back on this machine."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from assets.model_settings import ModelConfig, work_folder
from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from training.base import BaseModel
from training.job import CODE_VERSION, RunResult
from training.recipe import RunRecipe
from winnow.core.errors import RunError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.records import records, replace_rows

FILES = "checkpoint_files"


def register(
    lake: Lake,
    config: ModelConfig,
    release: Release,
    result: RunResult,
    output: Path,
    method: str = "sft",
    parent: str | None = None,
) -> dict[str, Any]:
    """Uploads the adapter and records the checkpoint with every row it saw, in order; the record comes last.

    `parent` is the checkpoint whose adapter the run went on from.
    """
    order = digest([row.row_id for row in result.rows])
    recipe = json.dumps(result.recipe, sort_keys=True)
    name = _name(release, result.base, recipe, result.code_version, order, parent)
    zone = lake.zone("open")
    files = []
    for file in result.files:
        path = f"{FILES}/{name}/{Path(file.path).name}"
        zone.put(path, (output / file.path).read_bytes())
        files.append({"path": path, "size": file.size, "sha256": file.sha256})
    row = {
        "checkpoint_id": name,
        "model": config.line,
        "method": method,
        "parent_checkpoint_id": parent,
        "release": release.name,
        "release_hash": release.content_hash,
        "base_hash": result.base["weights"],
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
    replace_rows(lake, CHECKPOINT_ROWS, config.line, _trained(name, config.line, result))
    replace_rows(lake, CHECKPOINTS, config.line, pa.Table.from_pylist([row], CHECKPOINTS.arrow_schema()))
    return row


def _name(
    release: Release, base: Mapping[str, str], recipe: str, code_version: str, order: str, parent: str | None
) -> str:
    went_on_from = [parent] if parent is not None else []
    return digest([release.content_hash, base, recipe, code_version, order, *went_on_from])


def _trained(name: str, line: str, result: RunResult) -> pa.Table:
    rows = [
        {
            "checkpoint_id": name,
            "model": line,
            "position": row.position,
            "row_id": row.row_id,
            "source_of_row": row.source,
            "content_hash": row.content_hash,
        }
        for row in result.rows
    ]
    return pa.Table.from_pylist(rows, CHECKPOINT_ROWS.arrow_schema())


def known_checkpoint(
    lake: Lake,
    line: str,
    release: Release,
    recipe: RunRecipe,
    base: BaseModel,
    code_version: str = CODE_VERSION,
    parent: str | None = None,
) -> dict[str, Any] | None:
    """The recorded checkpoint of this release, recipe, base and parent, or None.

    How often it was saved does not count.
    """
    own = {"spec": base.spec, **base.identity()}
    for row in records(lake, CHECKPOINTS, line):
        if row["parent_checkpoint_id"] != parent:
            continue
        config = row["config"]
        made = json.loads(config) | {"save_every": recipe.save_every}
        name = _name(release, own, config, code_version, row["row_order_hash"], parent)
        if row["checkpoint_id"] == name and made == recipe.model_dump(mode="json"):
            return row
    return None


def checkpoint_by_id(lake: Lake, line: str, checkpoint_id: str) -> dict[str, Any]:
    """The record of a checkpoint. Raises RunError when the lake does not hold it."""
    for row in records(lake, CHECKPOINTS, line):
        if row["checkpoint_id"] == checkpoint_id:
            return row
    raise RunError(
        f"checkpoint {checkpoint_id} of `{line}` is not in the lake: materialize `checkpoint` again"
    )


def adapter_hash(checkpoint: Mapping[str, Any]) -> str:
    """What the trained weights are: base and the files of the adapter."""
    files = [[Path(f["path"]).name, f["sha256"]] for f in json.loads(checkpoint["files"])]
    return digest([checkpoint["base_hash"], sorted(files)])


def adapter_folder(lake: Lake, checkpoint: Mapping[str, Any]) -> Path:
    """The adapter as a local directory, downloaded where needed and checked against its recorded hashes."""
    zone = lake.zone("open")
    folder = work_folder(f"adapters/{checkpoint['checkpoint_id']}")
    for file in json.loads(checkpoint["files"]):
        target = folder / Path(file["path"]).name
        if target.exists() and sha256(target.read_bytes()).hexdigest() == file["sha256"]:
            continue
        data = zone.read_bytes(file["path"])
        if sha256(data).hexdigest() != file["sha256"]:
            raise RunError(f"{zone.uri(file['path'])} is not the file that was registered; restore it")
        target.write_bytes(data)
    return folder
