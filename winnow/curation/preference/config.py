"""The knobs of preference pairs from execution."""

from typing import Annotated

from pydantic import Field

from winnow.core.config import ConfigModel

CODE_VERSION = "3"
"""Moves when the pairs of the same rows under the same configuration could change."""


class PreferenceConfig(ConfigModel):
    """How functions with doctests become pairs of a right answer and a wrong one."""

    seed: int = Field(default=20260707, ge=0, lt=2**63, description="Draws the mutants of a function.")
    heldout_fraction: float = Field(
        default=0.35,
        gt=0,
        lt=1,
        description="Share of distributions whose pairs are held out; those that the split holds out are among them.",
    )
    skipped_distributions: tuple[str, ...] = Field(
        default=(
            "accelerate",
            "datasets",
            "huggingface-hub",
            "mpmath",
            "peft",
            "sympy",
            "torch",
            "transformers",
            "trl",
        ),
        description="Distributions that are not run: to import or test them takes long, or needs a network.",
    )
    functions_per_group: int = Field(
        default=90,
        ge=1,
        description="Functions of one distribution that are run, the lowest by hash (with the seed of the split).",
    )
    mutants_tried: int = Field(
        default=6, ge=1, le=100, description="Mutants run before a function is given up as having no fault."
    )
    hash_seeds: tuple[Annotated[int, Field(ge=0, lt=2**32)], ...] = Field(
        default=(0, 1, 2),
        min_length=1,
        description="PYTHONHASHSEED of each run; in all of them the original passes and the mutant fails.",
    )
    example_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Wall time in which the examples of a function have to end."
    )
    memory_bytes: int = Field(default=2 << 30, ge=64 << 20, description="Memory of one box.")
