"""What came of a benchmark: two models compared, or why there is nothing to compare."""

from dataclasses import dataclass
from typing import Literal

Direction = Literal["lower", "higher"]
Scale = Literal["relative", "absolute"]


@dataclass(frozen=True)
class Compared:
    """A candidate and a reference on the same items; `change` is the candidate's value beside the reference's.

    `scale` relative: (value - reference_value) / reference_value; absolute: value - reference_value.
    """

    metric: str
    better: Direction
    scale: Scale
    value: float
    reference_value: float
    change: float
    low: float
    high: float
    n: int
    level: float
    groups: int | None = None
    """Groups of items that were drawn as a whole for the interval; without, each item counts by itself."""
    note: str = ""
    """What else a reviewer is told, e.g. which items flipped."""


@dataclass(frozen=True)
class NotRun:
    """The benchmark could not run here; `fix` says in one line why, and what to do."""

    fix: str


@dataclass(frozen=True)
class Contaminated:
    """The model was trained on `items` of the benchmark's items, itself or through an ancestor: no score."""

    items: int


Outcome = Compared | NotRun | Contaminated
