"""What a training run is asked to do, and how it reaches TRL and PEFT."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from winnow.core.config import ConfigModel, load_model
from winnow.core.errors import ConfigError, near_miss

RECIPES = Path(__file__).parent / "recipes"
Method = Literal["sft", "dpo"]
Kind = Literal["code", "sft", "tool", "agent", "preference", "trace"]
Scheduler = Literal["constant", "constant_with_warmup", "linear", "cosine"]
Module = Literal["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


class LoraRecipe(ConfigModel):
    """The low-rank adapter: rank, scale `alpha / r`, dropout, and the layers it is put on."""

    r: int = Field(default=8, ge=1, le=1024)
    alpha: int = Field(default=16, ge=1)
    dropout: float = Field(default=0.0, ge=0.0, lt=1.0)
    target_modules: tuple[Module, ...] = Field(
        default=("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"), min_length=1
    )


class RunRecipe(ConfigModel):
    """What every run is told: how many steps of how many rows, and how it learns from them.

    Rows are taken `max_steps * batch_size * gradient_accumulation` times.
    """

    sequence_len: int = Field(default=512, ge=16)
    """Tokens; what is longer is cut at the end and counted."""
    max_steps: int = Field(ge=1)
    """Optimizer steps; where rows run out they come again in another order."""
    batch_size: int = Field(default=1, ge=1)
    gradient_accumulation: int = Field(default=1, ge=1)
    learning_rate: float = Field(default=2.0e-4, gt=0.0, le=1.0)
    scheduler: Scheduler = "cosine"
    warmup_steps: int = Field(default=0, ge=0)
    seed: int = Field(default=0, ge=0, lt=2**32)
    save_every: int = Field(default=10, ge=1)
    """Steps between checkpoints: what a kill can cost."""
    max_rows: int | None = Field(default=None, ge=1)
    """At most this many different rows, chosen by the hash of seed and row id."""

    @model_validator(mode="after")
    def _warm_up_ends(self) -> Self:
        if self.warmup_steps >= self.max_steps and self.warmup_steps:
            raise ValueError(
                f"`warmup_steps` is {self.warmup_steps} and `max_steps` {self.max_steps}: the full "
                f"learning rate is never reached. Set `warmup_steps: {self.max_steps // 10}`"
            )
        if self.scheduler == "constant" and self.warmup_steps:
            raise ValueError(
                "`scheduler: constant` ignores `warmup_steps`. Write `scheduler: constant_with_warmup`"
            )
        return self

    @property
    def rows_a_step(self) -> int:
        return self.batch_size * self.gradient_accumulation


class SftRecipe(RunRecipe):
    """A supervised fine-tuning run."""

    base: str = Field(min_length=1)
    """`smollm2`, `tiny` or the directory of a model."""
    lora: LoraRecipe = LoraRecipe()
    kinds: tuple[Kind, ...] = ()
    """Kinds of rows to train on; all of them where none is named."""


def load_recipe(name_or_path: str | Path) -> SftRecipe:
    """A recipe by its name (`smoke`, `tiny`) or from a YAML file. Raises ConfigError with every fault."""
    return load_model(SftRecipe, recipe_file(name_or_path))


def recipe_file(name_or_path: str | Path, method: Method = "sft") -> Path:
    """The YAML file of a shipped recipe or of a path; names of DPO recipes end with `-dpo`, others do not.

    Raises ConfigError for a name that none has.
    """
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml"):
        return path
    known = shipped_recipes(method)
    if str(name_or_path) not in known:
        raise ConfigError(
            f"recipe: got {str(name_or_path)!r}.{near_miss(str(name_or_path), known)} "
            f"Write one of {', '.join(known)}, or the path of a YAML file."
        )
    return RECIPES / f"{name_or_path}.yaml"


def shipped_recipes(method: Method = "sft") -> list[str]:
    """Names of the recipes of a method that come with Winnow."""
    names = sorted(p.stem for p in RECIPES.glob("*.yaml"))
    return [name for name in names if name.endswith("-dpo") == (method == "dpo")]


def sft_arguments(recipe: SftRecipe, output: Path) -> dict[str, Any]:
    """Arguments of TRL's SFTConfig: the recipe's, and what every run of ours needs."""
    return {
        **run_arguments(recipe, output),
        "max_length": recipe.sequence_len,
        "shuffle_dataset": False,
        "packing": False,
        # Rows come encoded, with labels: the template's mask is applied before TRL sees them
        "dataset_kwargs": {"skip_prepare_dataset": True},
    }


def run_arguments(recipe: RunRecipe, output: Path) -> dict[str, Any]:
    """Arguments that every trainer of TRL takes.

    Order is ours (no sampler of the trainer), precision is fp32, nothing is reported to anyone.
    """
    return {
        "output_dir": str(output),
        "max_steps": recipe.max_steps,
        "per_device_train_batch_size": recipe.batch_size,
        "gradient_accumulation_steps": recipe.gradient_accumulation,
        "learning_rate": recipe.learning_rate,
        "lr_scheduler_type": recipe.scheduler,
        "warmup_steps": recipe.warmup_steps,
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        "save_steps": recipe.save_every,
        "save_strategy": "steps",
        "save_total_limit": None,
        "train_sampling_strategy": "sequential",
        "bf16": False,
        "activation_checkpointing": False,
        "logging_strategy": "no",
        "logging_nan_inf_filter": False,
        "report_to": "none",
        "push_to_hub": False,
        "disable_tqdm": True,
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": False,
    }


def lora_arguments(recipe: SftRecipe) -> dict[str, Any]:
    """Arguments of PEFT's LoraConfig."""
    return {
        "r": recipe.lora.r,
        "lora_alpha": recipe.lora.alpha,
        "lora_dropout": recipe.lora.dropout,
        "target_modules": list(recipe.lora.target_modules),
        "task_type": "CAUSAL_LM",
    }
