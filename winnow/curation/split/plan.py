"""Which groups are held out, and which rows the caps leave, decided from ids alone."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import orjson
import pyarrow as pa
import xxhash

from winnow.curation.split.config import SplitConfig

Scan = Callable[[Sequence[str]], Iterable[pa.RecordBatch]]
"""Gives all rows of the layer in batches, in a fixed order, with at least the columns asked for."""

PLACE_COLUMNS = ("row_id", "kind", "meta")
_HIGHEST = 2**64 - 1

Place = Literal["kind-not-trained", "heldout-group", "heldout-surplus", "not-sampled", "train"]


@dataclass(frozen=True)
class SplitPlan:
    """Where a row belongs, before texts are compared; all bounds are 64-bit hashes.

    With two groups or more at least one is held out and one is not, whatever the fraction.
    """

    seed: int
    kinds: tuple[str, ...]
    heldout_groups: tuple[str, ...]
    group_cut: int
    last_group: int
    heldout_cut: int = _HIGHEST
    train_cut: int = _HIGHEST

    def place(self, row_id: str, kind: str, meta: str | None) -> Place:
        if kind not in self.kinds:
            return "kind-not-trained"
        if self.is_heldout(group_of(row_id, meta)):
            return "heldout-group" if self.draw("heldout", row_id) <= self.heldout_cut else "heldout-surplus"
        return "train" if self.draw("train", row_id) <= self.train_cut else "not-sampled"

    def places(self, batch: pa.RecordBatch) -> list[Place]:
        columns: list[list[Any]] = [batch.column(name).to_pylist() for name in PLACE_COLUMNS]
        return [self.place(*row) for row in zip(*columns, strict=True)]

    def draw(self, purpose: str, name: str) -> int:
        """A uniform 64-bit number that seed, purpose and name fix for good."""
        return xxhash.xxh3_64_intdigest(f"{purpose}\0{name}", self.seed)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def is_heldout(self, group: str) -> bool:
        """Whether the rows of a group are held out."""
        if self.heldout_groups:
            return group in self.heldout_groups
        drawn = self.draw("group", group)
        return drawn <= self.group_cut and drawn != self.last_group


def group_of(row_id: str, meta: str | None) -> str:
    """The distribution that the row's meta names, else the row's own id.

    >>> group_of("ab", '{"distribution": "scipy"}'), group_of("ab", None)
    ('scipy', 'ab')
    """
    if meta and "distribution" in meta:
        try:
            value = orjson.loads(meta)
        except orjson.JSONDecodeError:
            return row_id
        name = value.get("distribution") if isinstance(value, dict) else None
        if isinstance(name, str) and name:
            return name
    return row_id


def plan_split(scan: Scan, config: SplitConfig) -> SplitPlan:
    """Reads ids twice: once to learn the groups, once to set the caps. Memory: 40 bytes a row of a cap."""
    names = (config.seed, config.kinds, config.heldout_groups)
    plan = SplitPlan(*names, group_cut=0, last_group=-1)
    lowest, highest = _HIGHEST, 0
    for row_id, kind, meta in _ids(scan):
        if kind in config.kinds:
            drawn = plan.draw("group", group_of(row_id, meta))
            lowest, highest = min(lowest, drawn), max(highest, drawn)
    cut = max(lowest, int(config.heldout_fraction * 2**64) - 1)
    plan = SplitPlan(*names, group_cut=cut, last_group=highest)
    heldout, train = _Lowest(config.max_heldout_rows), _Lowest(config.max_train_rows)
    for row_id, kind, meta in _ids(scan):
        place = plan.place(row_id, kind, meta)
        if place == "heldout-group":
            heldout.add(plan.draw("heldout", row_id))
        elif place == "train":
            train.add(plan.draw("train", row_id))
    return SplitPlan(*names, cut, highest, heldout.bound, train.bound)


def _ids(scan: Scan) -> Iterator[tuple[str, str, str | None]]:
    for batch in scan(PLACE_COLUMNS):
        columns: list[list[Any]] = [batch.column(name).to_pylist() for name in PLACE_COLUMNS]
        yield from zip(*columns, strict=True)


class _Lowest:
    """The largest of the `cap` lowest numbers added; no bound without a cap or below it."""

    def __init__(self, cap: int | None) -> None:
        self._cap = cap
        self._heap: list[int] = []
        self._full = False

    def add(self, number: int) -> None:
        if self._cap is None:
            return
        if len(self._heap) < self._cap:
            heapq.heappush(self._heap, -number)
        else:
            heapq.heappushpop(self._heap, -number)
            self._full = True

    @property
    def bound(self) -> int:
        return -self._heap[0] if self._full else _HIGHEST
