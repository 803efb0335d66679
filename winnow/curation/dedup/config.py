"""The knobs of deduplication."""

from typing import Self

from pydantic import Field, model_validator

from winnow.core.config import ConfigModel

CODE_VERSION = "2"
"""Moves when the verdicts for the same rows and configuration could change."""


class DedupConfig(ConfigModel):
    """When a row counts as a duplicate, and how candidates are found.

    Bands only propose: a pair of true similarity s becomes a candidate with probability
    1 - (1 - s^rows_per_band)^bands, that is 0.955 at s = 0.70, 0.994 at 0.75 and 0.9998 at 0.80 with 36 x 7.
    The exact Jaccard similarity decides.
    """

    threshold: float = Field(default=0.7, gt=0, le=1)
    ngram: int = Field(default=5, ge=1, le=32)
    permutations: int = Field(default=256, ge=16, le=4096)
    bands: int = Field(default=36, ge=1)
    rows_per_band: int = Field(default=7, ge=1)
    seed: int = Field(default=20260707, ge=0, lt=2**63)

    @model_validator(mode="after")
    def _bands_fit(self) -> Self:
        if self.effective_permutations > self.permutations:
            raise ValueError(
                f"`bands` x `rows_per_band` is {self.bands} x {self.rows_per_band} = "
                f"{self.effective_permutations}, more than `permutations`, which is {self.permutations}. "
                f"Set `permutations: {self.effective_permutations}`, or lower one of the other two"
            )
        return self

    @property
    def effective_permutations(self) -> int:
        """How many permutations the bands use: 252 of 256 with 36 x 7 or 42 x 6."""
        return self.bands * self.rows_per_band

    def recall(self, similarity: float) -> float:
        """The probability that a pair of this true similarity becomes a candidate.

        >>> round(DedupConfig().recall(0.7), 3)
        0.955
        """
        return float(1 - (1 - similarity**self.rows_per_band) ** self.bands)
