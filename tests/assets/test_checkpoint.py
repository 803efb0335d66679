"""What is recorded of a training run, and when a recorded run is taken for the one that is asked for."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from trained_lake import trained

import assets.checkpoint
from assets.checkpoint import run_training
from assets.checkpoint_records import known_checkpoint, register
from assets.model_settings import ModelConfig
from training.base import BaseModel
from training.job import CODE_VERSION, Probe, SftResult, Step, TrainedRow, write_result
from training.recipe import SftRecipe, load_recipe
from training.verify import VERIFIED, Verification, read_verification
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.models.child import write_json

BASE = BaseModel("tiny", "/nowhere", "/nowhere/chat_template.jinja", "w", "t", "c")
RECIPE = load_recipe("tiny")
LINE = ModelConfig().line


def result_of(recipe: SftRecipe, base: BaseModel = BASE) -> SftResult:
    return SftResult(
        job="j",
        code_version=CODE_VERSION,
        recipe=recipe.model_dump(mode="json"),
        base={"spec": base.spec, **base.identity()},
        steps=(Step(1, 1.5, 1e-4, 10, 5, ("a" * 32,)),),
        rows=(TrainedRow(0, 1, "a" * 32, "alpha", "b" * 64),),
        refused=(),
        truncated_rows=0,
        tokens=10,
        trained_tokens=5,
        wall_seconds=1.0,
        files=(),
        probe=Probe(("a" * 32,), 1.0, 1.1),
        versions={},
    )


@pytest.fixture
def lake_and_release(tmp_path: Path) -> tuple[Lake, Release]:
    return trained(tmp_path)


@pytest.mark.parametrize(
    ("asked", "base", "known"),
    [
        (RECIPE, BASE, True),
        (RECIPE.model_copy(update={"save_every": RECIPE.save_every + 1}), BASE, True),
        (RECIPE.model_copy(update={"seed": RECIPE.seed + 1}), BASE, False),
        (RECIPE, replace(BASE, weights_hash="other"), False),
        (RECIPE, replace(BASE, template_hash="other"), False),
        (RECIPE, replace(BASE, tokenizer_hash="other"), False),
    ],
    ids=["same", "saved-otherwise", "seed", "weights", "template", "tokenizer"],
)
def test_a_checkpoint_is_known_by_all_that_its_weights_depend_on(
    asked: SftRecipe, base: BaseModel, known: bool, lake_and_release: tuple[Lake, Release], tmp_path: Path
):
    lake, release = lake_and_release
    row = register(lake, ModelConfig(), release, result_of(RECIPE), tmp_path)
    found = known_checkpoint(lake, LINE, release, asked, base)
    assert (found is not None) == known
    assert found is None or found["checkpoint_id"] == row["checkpoint_id"]


def test_a_faulty_adapter_is_for_the_check_to_report(
    lake_and_release: tuple[Lake, Release], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Training itself ended well, so nothing may raise before the check has failed."""
    monkeypatch.setenv("WINNOW_WORK", str(tmp_path / "work"))
    faulty = Verification(("every lora_B is zero: nothing was learned",), 1, 1.0, None, 1.1)

    def child(_: Any, command: list[str]) -> None:
        output = Path(json.loads(Path(command[-1]).read_text())["output"])
        output.mkdir()
        write_result(output, result_of(RECIPE))
        write_json(output / VERIFIED, asdict(faulty))

    monkeypatch.setattr(assets.checkpoint, "run_piped_child", child)
    context: Any = None
    _, output = run_training(context, *lake_and_release, RECIPE, BASE, 1)
    assert read_verification(output) == faulty
