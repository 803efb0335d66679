from pathlib import Path
from typing import Any

import pytest
import yaml

from training.recipe import (
    RECIPES,
    LoraRecipe,
    SftRecipe,
    load_recipe,
    lora_arguments,
    sft_arguments,
    shipped_recipes,
)
from winnow.core.config import load_model
from winnow.core.errors import ConfigError

PLAIN = {"base": "tiny", "max_steps": 20}
# Field, a value that is not the default, and where TRL or PEFT has to hold it
REACHES_TRAINER: dict[str, tuple[Any, str]] = {
    "sequence_len": (123, "max_length"),
    "max_steps": (77, "max_steps"),
    "batch_size": (3, "per_device_train_batch_size"),
    "gradient_accumulation": (5, "gradient_accumulation_steps"),
    "learning_rate": (3.0e-5, "learning_rate"),
    "scheduler": ("linear", "lr_scheduler_type"),
    "warmup_steps": (7, "warmup_steps"),
    "seed": (11, "seed"),
    "save_every": (9, "save_steps"),
}
REACHES_ADAPTER: dict[str, tuple[Any, str, Any]] = {
    "r": (5, "r", 5),
    "alpha": (7, "lora_alpha", 7),
    "dropout": (0.25, "lora_dropout", 0.25),
    "target_modules": (["k_proj"], "target_modules", {"k_proj"}),
}
# These say which rows and which model; test_rows.py and test_sft.py show that they do
CHOOSES = {"base", "lora", "kinds", "max_rows"}


def test_every_field_is_looked_after() -> None:
    assert set(REACHES_TRAINER) | CHOOSES == set(SftRecipe.model_fields)
    assert set(REACHES_ADAPTER) == set(LoraRecipe.model_fields)


@pytest.mark.parametrize("field", REACHES_TRAINER)
def test_a_field_reaches_trl(field: str, tmp_path: Path) -> None:
    from trl import SFTConfig

    value, attribute = REACHES_TRAINER[field]
    changed = load_model(SftRecipe, {**PLAIN, field: value})
    default = load_model(SftRecipe, PLAIN)
    assert getattr(SFTConfig(**sft_arguments(changed, tmp_path)), attribute) == value
    assert getattr(SFTConfig(**sft_arguments(default, tmp_path)), attribute) != value


@pytest.mark.parametrize("field", REACHES_ADAPTER)
def test_a_field_reaches_peft(field: str) -> None:
    from peft import LoraConfig

    value, attribute, expected = REACHES_ADAPTER[field]
    changed = load_model(SftRecipe, {**PLAIN, "lora": {field: value}})
    assert getattr(LoraConfig(**lora_arguments(changed)), attribute) == expected
    assert getattr(LoraConfig(**lora_arguments(load_model(SftRecipe, PLAIN))), attribute) != expected


def test_what_every_run_needs_is_set(tmp_path: Path) -> None:
    from trl import SFTConfig

    config = SFTConfig(**sft_arguments(load_recipe("smoke"), tmp_path))
    assert config.train_sampling_strategy == "sequential"
    assert [config.bf16, config.fp16, config.gradient_checkpointing, config.packing] == [False] * 4
    assert config.report_to == []
    assert not config.push_to_hub
    assert config.output_dir == str(tmp_path)


def test_shipped_recipes_load_and_name_every_field() -> None:
    names = shipped_recipes()
    assert {"smoke", "tiny"} <= set(names)
    assert sorted([*names, *shipped_recipes("dpo")]) == sorted(f.stem for f in RECIPES.glob("*.yaml"))
    for file in (RECIPES / f"{name}.yaml" for name in names):
        assert load_recipe(file.stem) == load_recipe(file)
        assert set(yaml.safe_load(file.read_text())) == set(SftRecipe.model_fields)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "web.yaml"
    file.write_text("base: tiny\nmax_steps: 0\nlearning_rat: 1.0\nbatch_size: true\nlora: {r: 0}\n")
    with pytest.raises(ConfigError) as caught:
        load_recipe(file)
    text = str(caught.value)
    assert "4 to fix" in text
    assert "Did you mean `learning_rate`?" in text
    for part in ("`max_steps`: got 0", "`batch_size`: got true", "`lora.r`: got 0"):
        assert part in text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"max_steps": 10, "warmup_steps": 10}, "never reached"),
        ({"scheduler": "constant", "warmup_steps": 1}, "constant_with_warmup"),
        ({"scheduler": "polynomial"}, "cosine"),
        ({"kinds": ["sftt"]}, "kinds"),
    ],
)
def test_what_would_be_ignored_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_model(SftRecipe, {**PLAIN, **fields})


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(ConfigError, match="Did you mean `smoke`"):
        load_recipe("smokee")
