import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lessons import write_rows

from training.base import BaseModel, resolve_base
from training.job import SftJob, load_job, write_job
from training.recipe import SftRecipe, load_recipe
from winnow.core.config import load_model
from winnow.models.child import Events


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
