"""A tiny demo that nothing disturbed, to hold every other run against."""

from dataclasses import dataclass
from typing import Self

from demo_run import Places
from lake_laws import Sight, content


@dataclass(frozen=True)
class Undisturbed:
    """Where it lies, what it printed, its hashes, and what DuckDB sees of it."""

    places: Places
    printed: str
    hashes: dict[str, str]
    sight: Sight

    @classmethod
    def run(cls, places: Places) -> Self:
        printed = places.demo(train=True)
        return cls(places, printed, content(places.lake), Sight.of(places.lake))
