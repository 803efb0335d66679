"""What the finder of names answers."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, order=True)
class NameHit:
    """A person or a postal address: half-open span in code points of one segment.

    `confidence` is the share of such hits expected right: 0.95 where a label or a title says so, 0.85 where
    the model and the shape agree.
    """

    start: int
    end: int
    category: Literal["person", "address"]
    confidence: float
