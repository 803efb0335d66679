"""The decontaminate stage: rows that cover a benchmark item are dropped, whatever else they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import Field

from winnow.core.config import ConfigModel
from winnow.core.stage import Span, StageOutput, Verdict, verdict_batch
from winnow.curation.decontaminate.benchmarks import Item, load_items
from winnow.curation.decontaminate.index import SHORT, BenchmarkIndex, Match, N
from winnow.curation.decontaminate.ngrams import token_spans
from winnow.curation.decontaminate.short_items import is_backed
from winnow.curation.text import batch_texts, text_strings

DROP = "benchmark-item"
OVERLAP = "benchmark-overlap"


class DecontaminateConfig(ConfigModel):
    """Which benchmarks, and how much of an item a row may cover."""

    benchmarks: tuple[str, ...] = Field(
        default=("humaneval", "bfcl"), description="Benchmarks out of installed packages."
    )
    files: tuple[Path, ...] = Field(
        default=(), description="More items: JSON Lines files, or folders of them."
    )
    coverage: float = Field(
        default=0.5, gt=0, le=1, description="Share of a text of 100 tokens or more that drops a row."
    )
    coverage_short: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="Share at 20 to 30 tokens; in between it falls evenly to `coverage`.",
    )
    report_from: float = Field(
        default=0.3,
        gt=0,
        le=1,
        description="Share from which, with 20 tokens, a kept row is flagged.",
    )


@dataclass(frozen=True)
class _Found:
    """What a row covers of an item: the largest share, whether it drops the row, and where."""

    item: Item
    score: float
    drops: bool
    matches: tuple[Match, ...]


class DecontaminateStage:
    """Drops a row that covers the prompt, the solution, both together or the tests of a benchmark item.

    Coverage is the share of the *item's* tokens that lie in n-grams of ten tokens found in the row, so that
    neither wrapping, nor indentation, nor a long file around it hides an item. A row that covers less than
    the threshold but at least `report_from` is kept and flagged. Raises ConfigError for a missing benchmark.
    """

    name = "decontaminate"
    code_version = "1"

    def __init__(self, config: DecontaminateConfig | None = None) -> None:
        self.config = config or DecontaminateConfig()
        self._index: BenchmarkIndex | None = None

    @property
    def index(self) -> BenchmarkIndex:
        """Built on first use, and pickled with the stage from then on."""
        if self._index is None:
            self._index = BenchmarkIndex(load_items(self.config.benchmarks, self.config.files))
        return self._index

    def identity(self) -> Mapping[str, Any]:
        """The thresholds and the content of the benchmarks, wherever their files lie."""
        thresholds = self.config.model_dump(exclude={"benchmarks", "files"})
        return {**thresholds, "index": self.index.hash}

    def run(self, batch: pa.RecordBatch) -> StageOutput:
        verdicts = []
        keep = np.ones(batch.num_rows, np.bool_)
        for position, text in enumerate(batch_texts(batch)):
            ids = self.index.ids([text])
            matches = self.index.match(ids)
            if matches and (found := self._judge(matches, _offered(batch, position, text))):
                verdicts.append(_verdict(batch.slice(position, 1).to_pylist()[0], found))
                keep[position] = not found[0].drops
        kept = batch if keep.all() else batch.filter(pa.array(keep))
        return StageOutput(batch.num_rows, kept, verdict_batch(verdicts))

    def _judge(self, matches: Sequence[Match], offered: str) -> list[_Found]:
        """Items that drop the row or are worth a flag; the best first, ties in the order of the items."""
        found = []
        for number, group in groupby(sorted(matches, key=lambda m: m.field.item), key=lambda m: m.field.item):
            found.append(self._judge_item(self.index.items[number], list(group), offered))
        found = [f for f in found if f.drops or f.score >= self.config.report_from]
        return sorted(found, key=lambda f: (not f.drops, -f.score))

    def _judge_item(self, item: Item, matches: Sequence[Match], offered: str) -> _Found:
        dropping = [m for m in matches if self._drops(item, m, offered)]
        pair = [m for m in matches if m.field.name in ("prompt", "solution")]
        length = sum(len(m.field.ids) for m in pair)
        together = sum(m.coverage * len(m.field.ids) for m in pair) / length if length else 0.0
        if not dropping and len(pair) == 2 and length >= 30 and together >= self._threshold(length):
            return _Found(item, together, True, tuple(pair))
        telling = dropping or [m for m in matches if m.coverage * len(m.field.ids) >= SHORT]
        score = max((m.coverage for m in telling), default=0.0)
        return _Found(item, score, bool(dropping), tuple(telling))

    def _drops(self, item: Item, match: Match, offered: str) -> bool:
        if len(match.field.ids) >= SHORT:
            return match.coverage >= self._threshold(len(match.field.ids))
        return match.coverage == 1.0 and is_backed(item, match, offered)

    def _threshold(self, length: int) -> float:
        """The share that drops a row. A short prompt that shares signature and calls is not yet the item."""
        full = min(1.0, max(0.0, (length - 30) / 70))
        return self.config.coverage_short + full * (self.config.coverage - self.config.coverage_short)


def _offered(batch: pa.RecordBatch, position: int, text: str) -> str:
    """The text of a row, then the schemas of the tools it offers."""
    return f"{text}\n{batch.column('tools')[position].as_py() or ''}"


def _verdict(row: Mapping[str, Any], found: Sequence[_Found]) -> Verdict:
    best = found[0]
    spans = [span for match in best.matches for span in _spans(row, match, best.item.benchmark)]
    return Verdict(
        row["row_id"],
        row["source"],
        "drop" if best.drops else "keep",
        DROP if best.drops else OVERLAP,
        score=best.score,
        matched_id=best.item.matched_id,
        spans=tuple(dict.fromkeys(spans)),
    )


def _spans(row: Mapping[str, Any], match: Match, benchmark: str) -> list[Span]:
    """Where most n-grams of the field stand close together, one span a string of the row."""
    first, last = _densest(match.places, 2 * len(match.field.ids) + 50)
    last += min(N, len(match.field.ids))
    spans = []
    at = 0
    for path, text in text_strings(row):
        inside = token_spans(text)[max(0, first - at) : max(0, last - at)]
        at += len(token_spans(text))
        if inside:
            spans.append(Span("benchmark", benchmark, path, inside[0][0], inside[-1][1]))
    return spans


def _densest(places: NDArray[np.int64], width: int) -> tuple[int, int]:
    """First and last of the most places that lie within `width`; the earliest of equals."""
    counts = np.searchsorted(places, places + width, "right") - np.arange(len(places))
    best = int(np.argmax(counts))
    return int(places[best]), int(places[best + int(counts[best]) - 1])
