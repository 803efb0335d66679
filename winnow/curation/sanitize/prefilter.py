"""Which detectors may hit a text: one pass over it for the triggers of all of them."""

import importlib.util
from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from winnow.curation.sanitize.detector import Detector

Engine = Literal["hyperscan", "polars"]


class Prefilter:
    """Answers for a text which of `detectors` need a closer look, as their positions in ascending order.

    Hyperscan reads all triggers at once; where it is not installed Polars reads one after another, with the
    same answers. A text is read as UTF-8, and lone surrogates in it as `?`.
    """

    def __init__(self, detectors: Sequence[Detector], engine: Engine | None = None) -> None:
        self._triggers = [detector.trigger_pattern for detector in detectors]
        self.engine: Engine = engine or ("hyperscan" if _has_hyperscan() else "polars")
        self._database = _compile(self._triggers) if self.engine == "hyperscan" and self._triggers else None

    def candidates(self, text: str) -> list[int]:
        """Positions of the detectors whose trigger is in the text."""
        data = text.encode("utf-8", "replace")
        if self.engine == "polars":
            column = pl.Series([data.decode()])
            return [i for i, trigger in enumerate(self._triggers) if column.str.contains(trigger).any()]
        found: set[int] = set()
        if self._database is not None:
            self._database.scan(data, match_event_handler=_note, context=found)
        return sorted(found)


def _note(number: int, _start: int, _end: int, _flags: int, found: set[int]) -> None:
    found.add(number)


def _has_hyperscan() -> bool:
    return importlib.util.find_spec("hyperscan") is not None


def _compile(triggers: Sequence[str]) -> Any:
    import hyperscan

    database = hyperscan.Database()
    flag = hyperscan.HS_FLAG_SINGLEMATCH | hyperscan.HS_FLAG_DOTALL
    database.compile(
        expressions=[f"(?:{trigger})".encode() for trigger in triggers],
        ids=list(range(len(triggers))),
        elements=len(triggers),
        flags=[flag] * len(triggers),
    )
    return database
