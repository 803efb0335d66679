"""What a DPO run is asked to do, and how it reaches TRL."""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from training.recipe import RunRecipe, recipe_file, run_arguments
from winnow.core.config import load_model

Loss = Literal["sigmoid", "robust", "ipo", "hinge"]


class DpoRecipe(RunRecipe):
    """A run of direct preference optimization (Rafailov et al. 2023), on from an adapter that SFT has trained.

    Base and adapter are the job's: a recipe fits any. Where d is how much more than the reference the model
    prefers the chosen answer (difference of summed log ratios, nats), the loss of a pair is for `sigmoid`
    -log sigmoid(beta d), for `hinge` max(0, 1 - beta d), for `ipo` (d' - 1 / (2 beta))^2 with d' of log ratios
    a token (Azar et al. 2023), and for `robust` that of `sigmoid` corrected for a share `label_smoothing` of
    swapped pairs (Chowdhury et al. 2024).
    """

    beta: float = Field(default=0.1, gt=0.0)
    """How dear it is to leave the reference."""
    loss_type: Loss = "sigmoid"
    label_smoothing: float = Field(default=0.0, ge=0.0, lt=0.5)
    learning_rate: float = Field(default=5.0e-6, gt=0.0, le=1.0)

    @model_validator(mode="after")
    def _smoothing_counts(self) -> Self:
        if self.label_smoothing and self.loss_type != "robust":
            raise ValueError(
                f"`label_smoothing` is {self.label_smoothing} and `loss_type: {self.loss_type}` ignores it. "
                "Write `loss_type: robust`, or leave `label_smoothing` out"
            )
        if self.loss_type == "robust" and not self.label_smoothing:
            raise ValueError(
                "`loss_type: robust` without `label_smoothing` is `sigmoid`. Write `loss_type: sigmoid`, "
                "or the share of swapped pairs, such as `label_smoothing: 0.1`"
            )
        return self


def load_dpo_recipe(name_or_path: str | Path) -> DpoRecipe:
    """A recipe by its name (`smoke-dpo`, `tiny-dpo`) or from a YAML file. Raises ConfigError with every fault."""
    return load_model(DpoRecipe, recipe_file(name_or_path, "dpo"))


def dpo_arguments(recipe: DpoRecipe, output: Path) -> dict[str, Any]:
    """Arguments of TRL's DPOConfig: the recipe's, and what every run of ours needs."""
    return {
        **run_arguments(recipe, output),
        "beta": recipe.beta,
        "loss_type": [recipe.loss_type],
        "label_smoothing": recipe.label_smoothing,
        # Pairs come encoded and cut: TRL must neither cut nor drop one
        "max_length": None,
        # A reference that is not itself from pass to pass is none
        "disable_dropout": True,
        # Each pair is seen once an epoch: the reference costs the same either way
        "precompute_ref_log_probs": False,
    }
