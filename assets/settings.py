"""How the layers are built: one file of configuration for all stages, every field with a default."""

import os
from pathlib import Path

from pydantic import Field

from assets.model_settings import ModelConfig
from winnow.core.config import ConfigModel, load_model, read_yaml
from winnow.core.errors import ConfigError
from winnow.curation.decontaminate import DecontaminateConfig
from winnow.curation.dedup import DedupConfig
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.quality import QualityConfig
from winnow.curation.sanitize import SanitizeConfig
from winnow.curation.split import SplitConfig


class WinnowConfig(ConfigModel):
    """What `winnow.yaml` may hold."""

    tokenizer: str = Field(
        default="smollm2", description="Tokenizer that counts tokens: smollm2, bytes, or a tokenizer.json."
    )
    sanitize: SanitizeConfig = Field(
        default=SanitizeConfig(), description="What is looked for, and what becomes of it."
    )
    dedup: DedupConfig = Field(default=DedupConfig(), description="When a row is a duplicate.")
    decontaminate: DecontaminateConfig = Field(
        default=DecontaminateConfig(), description="Benchmarks, and how much of an item counts."
    )
    quality: QualityConfig = Field(default=QualityConfig(), description="Limits of the syntax check.")
    split: SplitConfig = Field(default=SplitConfig(), description="What is held out for evaluation.")
    preference: PreferenceConfig = Field(
        default=PreferenceConfig(), description="How functions become preference pairs."
    )
    model: ModelConfig = Field(default=ModelConfig(), description="What is trained, and how it is judged.")


def winnow_config() -> WinnowConfig:
    """The file that WINNOW_CONFIG names, else all defaults; `sanitize` out of WINNOW_SANITIZE where that is set.

    Raises ConfigError where both files say something of it.
    """
    path, profile = os.environ.get("WINNOW_CONFIG"), os.environ.get("WINNOW_SANITIZE")
    config = load_model(WinnowConfig, path) if path else WinnowConfig()
    if not profile:
        return config
    if "sanitize" in config.model_fields_set:
        raise ConfigError(
            f"`sanitize` is set in {path} (WINNOW_CONFIG) and in {profile} (WINNOW_SANITIZE). Keep it in one of them"
        )
    return config.model_copy(update={"sanitize": load_model(SanitizeConfig, profile)})


def settings_of(path: Path) -> WinnowConfig:
    """A file of settings: one that WINNOW_CONFIG may name, or one of the sanitizer as WINNOW_SANITIZE names."""
    keys = read_yaml(path)
    if (
        keys
        and not set(keys) & set(WinnowConfig.model_fields)
        and set(keys) & set(SanitizeConfig.model_fields)
    ):
        return WinnowConfig(sanitize=load_model(SanitizeConfig, path))
    return load_model(WinnowConfig, path)


def model_config() -> ModelConfig:
    """The configured model; WINNOW_SFT_RECIPE overrides the recipe."""
    config = winnow_config().model
    recipe = os.environ.get("WINNOW_SFT_RECIPE")
    return config.model_copy(update={"recipe": recipe}) if recipe else config
