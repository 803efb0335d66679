"""How the layers are built: one file of configuration for all stages, every field with a default."""

import os

from pydantic import Field

from assets.model_settings import ModelConfig
from winnow.core.config import ConfigModel, load_model
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
    sanitize: SanitizeConfig = Field(default=SanitizeConfig(), description="Detectors that run.")
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
    """The file that WINNOW_CONFIG names, else all defaults."""
    path = os.environ.get("WINNOW_CONFIG")
    return load_model(WinnowConfig, path) if path else WinnowConfig()


def model_config() -> ModelConfig:
    """The configured model; WINNOW_SFT_RECIPE overrides the recipe."""
    config = winnow_config().model
    recipe = os.environ.get("WINNOW_SFT_RECIPE")
    return config.model_copy(update={"recipe": recipe}) if recipe else config
