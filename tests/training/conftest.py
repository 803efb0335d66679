import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lessons import lessons, write_rows
from preferences import write_pairs

from training.adapter import adapter_hash
from training.base import BaseModel, resolve_base
from training.dpo_job import StartAdapter
from training.dpo_job import write_job as write_dpo_job
from training.dpo_recipe import DpoRecipe
from training.job import ADAPTER, SftJob, load_job, write_job
from training.recipe import SftRecipe, load_recipe
from training.sft import train
from winnow.core.config import load_model
from winnow.models.child import Events

DPO = {"sequence_len": 512, "max_steps": 12, "batch_size": 2, "learning_rate": 2.0e-3, "save_every": 4}


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def tiny_base(model_cache: Path) -> BaseModel:
    return resolve_base("tiny", model_cache)


@pytest.fixture
def quiet() -> Events:
    return Events(io.StringIO())


@pytest.fixture
def tiny_recipe() -> Callable[..., SftRecipe]:
    """The tiny recipe with some fields changed."""

    def changed(**fields: Any) -> SftRecipe:
        return load_model(SftRecipe, {**load_recipe("tiny").model_dump(mode="json"), **fields})

    return changed


@pytest.fixture
def make_job(
    tmp_path: Path, tiny_base: BaseModel, tiny_recipe: Callable[..., SftRecipe]
) -> Callable[..., Path]:
    """Writes the job file of a tiny run over `rows` into the directory `name`."""

    def make(name: str, rows: list[dict[str, Any]], **fields: Any) -> Path:
        file = write_rows(tmp_path / f"{name}.rows.jsonl", rows)
        return write_job(
            tmp_path / f"{name}.job.json", tiny_recipe(**fields), file, tmp_path / name, tiny_base, threads=1
        )

    return make


@pytest.fixture
def loaded(make_job: Callable[..., Path]) -> Callable[..., SftJob]:
    def load(*args: Any, **fields: Any) -> SftJob:
        return load_job(json.loads(make_job(*args, **fields).read_text()))

    return load


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory, tiny_base: BaseModel) -> StartAdapter:
    """The adapter of a short run of SFT on the tiny base."""
    folder = tmp_path_factory.mktemp("start")
    recipe = load_model(SftRecipe, {**load_recipe("tiny").model_dump(mode="json"), "max_steps": 4})
    rows = write_rows(folder / "rows.jsonl", lessons(8))
    job = write_job(folder / "job.json", recipe, rows, folder / "run", tiny_base, threads=1)
    train(json.loads(job.read_text()), Events(io.StringIO()))
    adapter = folder / "run" / ADAPTER
    return StartAdapter(path=adapter, hash=adapter_hash(adapter, tiny_base.weights_hash))


@pytest.fixture
def make_dpo_job(tmp_path: Path, tiny_base: BaseModel, start: StartAdapter) -> Callable[..., Path]:
    """Writes the job file of a tiny DPO run over `pairs` into the directory `name`."""

    def make(name: str, pairs: list[dict[str, Any]], **fields: Any) -> Path:
        recipe = load_model(DpoRecipe, {**DPO, **fields})
        file = write_pairs(tmp_path / f"{name}.pairs.parquet", pairs)
        path = tmp_path / f"{name}.job.json"
        return write_dpo_job(path, recipe, file, tmp_path / name, tiny_base, start, threads=1)

    return make
