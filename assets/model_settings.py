"""Which model line is trained, by which recipe, and how it is judged."""

import os
from pathlib import Path

from pydantic import Field

from winnow.core.config import ConfigModel
from winnow.core.errors import ConfigError


class ModelConfig(ConfigModel):
    """The `model` section of the file that WINNOW_CONFIG names."""

    line: str = Field(
        default="sft",
        pattern=r"^[a-z0-9_-]+$",
        description="Slug under which checkpoints compete for champion.",
    )
    recipe: str = Field(default="smoke", description="Recipe by name, or path of a YAML file.")
    dpo_recipe: str = Field(
        default="smoke-dpo", description="DPO recipe by name, or path of a YAML file; goes on from `recipe`."
    )
    gates: str = Field(default="default", description="Gates by name, or path of a YAML file.")
    heldout_pairs: int = Field(
        default=48, ge=2, description="Held-out pairs evaluated; distributions take turns."
    )
    pair_tokens: int = Field(
        default=512, ge=16, description="Tokens of a prompt with one answer that are scored."
    )
    heldout_rows: int = Field(default=40, ge=2, description="Held-out rows evaluated, chosen by hash.")
    heldout_tokens: int = Field(default=512, ge=16, description="Tokens of a held-out row that are scored.")
    resamples: int = Field(default=10_000, ge=100, description="Bootstrap resamples of the paired interval.")
    seed: int = Field(default=0, ge=0, description="Seed of the choice of rows and of the bootstrap.")


def work_folder(name: str) -> Path:
    """A folder for a training or evaluation job: WINNOW_WORK, else ./data/work; kept, so that a job resumes."""
    folder = Path(os.environ.get("WINNOW_WORK") or "data/work").expanduser().absolute() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"WINNOW_WORK: {folder} cannot be made ({error.strerror}). Set WINNOW_WORK to a directory of your own."
        ) from None
    return folder
