"""The knobs of the split into training and held-out rows."""

from typing import Literal, Self

from pydantic import Field, model_validator

from winnow.core.config import ConfigModel

CODE_VERSION = "1"
"""Moves when the split of the same rows under the same configuration could change."""

Kind = Literal["code", "sft", "tool", "agent", "preference", "trace"]


class SplitConfig(ConfigModel):
    """Which rows are trained, and which are held out to evaluate on.

    Rows are held out by group: the distribution that a row came from (`meta.distribution`), or the row alone.
    Either groups are drawn by hash until about `heldout_fraction` of them, or `heldout_groups` names them.
    Of their rows at most `max_heldout_rows` are evaluated, the lowest by hash. A row of another group is kept
    out of training if it shares at least `containment` of the smaller of the two shingle sets with a row that
    is evaluated. At most `max_train_rows` rows are trained, the lowest
    by hash of those outside the held-out groups.
    """

    seed: int = Field(default=20260707, ge=0, lt=2**63)
    heldout_fraction: float = Field(default=0.05, gt=0, lt=1)
    heldout_groups: tuple[str, ...] = ()
    max_heldout_rows: int = Field(default=2000, ge=1)
    containment: float = Field(default=0.5, gt=0, le=1)
    max_train_rows: int | None = Field(default=None, ge=1)
    kinds: tuple[Kind, ...] = Field(default=("code", "sft", "tool", "agent"), min_length=1)
    ngram: int = Field(default=5, ge=1, le=32)

    @model_validator(mode="after")
    def _one_way_to_hold_out(self) -> Self:
        if self.heldout_groups and "heldout_fraction" in self.model_fields_set:
            raise ValueError(
                "`heldout_groups` and `heldout_fraction` exclude each other. Keep the list, or the fraction"
            )
        return self
