"""Checkpoints that survive `kill -9`: complete is one whose files match its manifest."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.base import file_sha256
from winnow.core.errors import ConfigError
from winnow.models.child import write_json

MANIFEST = "winnow-checkpoint.json"
_NAME = re.compile(r"checkpoint-(\d+)")


@dataclass(frozen=True)
class Checkpoint:
    """A complete checkpoint: its directory, the steps done, and what had been recorded by then."""

    path: Path
    step: int
    history: list[dict[str, Any]]
    seconds: float


def seal(directory: Path, job: str, step: int, history: list[dict[str, Any]], seconds: float) -> None:
    """Declares the files of a checkpoint complete. Written last; `job` is the fingerprint of the run."""
    files = {
        p.name: file_sha256(p) for p in sorted(directory.iterdir()) if p.is_file() and p.name != MANIFEST
    }
    manifest = {"job": job, "step": step, "history": history, "seconds": seconds, "files": files}
    write_json(directory / MANIFEST, manifest)


def latest(output: Path, job: str) -> Checkpoint | None:
    """The newest complete checkpoint of this job; half-written ones are deleted.

    Raises ConfigError where a checkpoint belongs to another job.
    """
    found: list[Checkpoint] = []
    for directory in _directories(output):
        manifest = _manifest(directory)
        if manifest is None:
            shutil.rmtree(directory)
            continue
        if manifest["job"] != job:
            raise ConfigError(
                f"{output} holds checkpoints of another run (other recipe, rows or base). "
                "Give an empty directory, or delete this one."
            )
        found.append(Checkpoint(directory, manifest["step"], manifest["history"], manifest["seconds"]))
    return max(found, key=lambda c: c.step, default=None)


def prune(output: Path, keep: Path | None) -> None:
    """Deletes every checkpoint but `keep`."""
    for directory in _directories(output):
        if directory != keep:
            shutil.rmtree(directory)


def _directories(output: Path) -> list[Path]:
    return sorted(p for p in output.glob("checkpoint-*") if _NAME.fullmatch(p.name) and p.is_dir())


def _manifest(directory: Path) -> dict[str, Any] | None:
    """The manifest, or None where it is missing or a file is not what it says."""
    try:
        manifest: dict[str, Any] = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    for name, sha256 in manifest["files"].items():
        path = directory / name
        if not path.is_file() or file_sha256(path) != sha256:
            return None
    return manifest
