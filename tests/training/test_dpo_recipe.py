from pathlib import Path
from typing import Any

import pytest
import yaml

from training.dpo_recipe import DpoRecipe, dpo_arguments, load_dpo_recipe
from training.recipe import RECIPES, shipped_recipes
from winnow.core.config import load_model
from winnow.core.errors import ConfigError

PLAIN: dict[str, Any] = {"max_steps": 20}
# Field, values of a recipe that holds one that is not the default, and where TRL has to hold it
REACHES_TRAINER: dict[str, tuple[dict[str, Any], str, Any]] = {
    "beta": ({"beta": 0.3}, "beta", 0.3),
    "loss_type": ({"loss_type": "ipo"}, "loss_type", ["ipo"]),
    "label_smoothing": ({"loss_type": "robust", "label_smoothing": 0.2}, "label_smoothing", 0.2),
    "max_steps": ({"max_steps": 77}, "max_steps", 77),
    "batch_size": ({"batch_size": 3}, "per_device_train_batch_size", 3),
    "gradient_accumulation": ({"gradient_accumulation": 5}, "gradient_accumulation_steps", 5),
    "learning_rate": ({"learning_rate": 3.0e-5}, "learning_rate", 3.0e-5),
    "scheduler": ({"scheduler": "linear"}, "lr_scheduler_type", "linear"),
    "warmup_steps": ({"warmup_steps": 7}, "warmup_steps", 7),
    "seed": ({"seed": 11}, "seed", 11),
    "save_every": ({"save_every": 9}, "save_steps", 9),
}
# These say which pairs, and where they are cut; test_dpo_pairs.py shows that they do
CHOOSES = {"sequence_len", "max_rows"}


def test_every_field_is_looked_after() -> None:
    assert set(REACHES_TRAINER) | CHOOSES == set(DpoRecipe.model_fields)


@pytest.mark.parametrize("field", REACHES_TRAINER)
def test_a_field_reaches_trl(field: str, tmp_path: Path) -> None:
    from trl import DPOConfig

    values, attribute, expected = REACHES_TRAINER[field]
    changed = load_model(DpoRecipe, {**PLAIN, **values})
    assert getattr(DPOConfig(**dpo_arguments(changed, tmp_path)), attribute) == expected
    default = load_model(DpoRecipe, PLAIN)
    assert getattr(DPOConfig(**dpo_arguments(default, tmp_path)), attribute) != expected


def test_what_every_run_needs_is_set(tmp_path: Path) -> None:
    from trl import DPOConfig

    config = DPOConfig(**dpo_arguments(load_dpo_recipe("smoke-dpo"), tmp_path))
    assert config.train_sampling_strategy == "sequential"
    assert [config.bf16, config.fp16, config.gradient_checkpointing, config.sync_ref_model] == [False] * 4
    assert config.disable_dropout
    assert config.max_length is None
    assert config.report_to == []


def test_shipped_recipes_load_and_name_every_field() -> None:
    names = shipped_recipes("dpo")
    assert {"smoke-dpo", "tiny-dpo"} <= set(names)
    for file in (RECIPES / f"{name}.yaml" for name in names):
        assert load_dpo_recipe(file.stem) == load_dpo_recipe(file)
        assert set(yaml.safe_load(file.read_text())) == set(DpoRecipe.model_fields)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"label_smoothing": 0.1}, "`loss_type: sigmoid` ignores it"),
        ({"label_smoothing": 0.1, "loss_type": "hinge"}, "Write `loss_type: robust`"),
        ({"loss_type": "robust"}, "Write `loss_type: sigmoid`"),
        ({"loss_type": "focused"}, "`loss_type`: got"),
        ({"label_smoothing": 0.5}, "less than 0.5"),
        ({"beta": 0.0}, "greater than 0"),
        ({"max_steps": 10, "warmup_steps": 10}, "never reached"),
        ({"kinds": ["sft"]}, "no such key"),
    ],
)
def test_what_would_be_ignored_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_model(DpoRecipe, {**PLAIN, **fields})


def test_a_name_is_looked_for_among_the_recipes_of_its_method() -> None:
    with pytest.raises(ConfigError, match=r"Did you mean `smoke-dpo`.*Write one of smoke-dpo, tiny-dpo,"):
        load_dpo_recipe("smok-dpo")
    with pytest.raises(ConfigError, match="recipe: got 'tiny'"):
        load_dpo_recipe("tiny")
