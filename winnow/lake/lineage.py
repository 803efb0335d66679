"""Was a table built from exactly what lies in the lake now? Walks the inputs that each partition names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from winnow.core.errors import ConfigError
from winnow.lake.contracts import contract_of
from winnow.lake.lake import Lake, PartitionState, TableHead
from winnow.lake.names import GLOBAL

_VERDICTS = "verdicts_"
_ASSETS = {"verdicts_dedup": "dedup_verdicts"}
"""Tables that are written by an asset of another name."""


@dataclass(frozen=True)
class Stale:
    """A partition that was not built from what lies in the lake now, and the asset that mends it."""

    table: str
    source: str
    reason: str

    def __str__(self) -> str:
        where = "" if self.source == GLOBAL else f" for source {self.source}"
        return f"{self.table}/{self.source} {self.reason}: materialize asset `{self.asset}`{where}"

    @property
    def asset(self) -> str:
        return _ASSETS.get(self.table, self.table)


class Lineage:
    """Open-zone heads of one lake, each resolved once, and the walk over them.

    The walk ends where the open zone does: which records `sanitized` was made from is the business of the
    restricted zone, and a source whose newest revision failed its audit keeps its last good partition.
    """

    def __init__(self, lake: Lake, heads: Mapping[str, TableHead]) -> None:
        self._lake = lake
        self._heads = dict(heads)
        self._read: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._stale: list[Stale] = []
        self._visited: set[str] = set()

    def head(self, table: str) -> TableHead:
        if table not in self._heads:
            self._heads[table] = self._lake.head(table)
        return self._heads[table]

    @property
    def visited(self) -> frozenset[str]:
        """Tables that the last walk came through."""
        return frozenset(self._visited)

    def stale(self, tables: Iterable[str], sources: Sequence[str] | None = None) -> list[Stale]:
        """Everything between these tables and the open zone's first that is not up to date, sorted."""
        self._read.clear()
        self._stale = []
        self._visited.clear()
        pending = [(t, s.source) for t in tables for s in self.head(t).select(sources)]
        seen = set(pending)
        while pending:
            table, source = pending.pop()
            self._visited.add(table)
            for upstream in self._inputs(table, self.head(table).partitions[source]):
                if upstream not in seen:
                    seen.add(upstream)
                    pending.append(upstream)
        self._find_unread(sources)
        return sorted(set(self._stale), key=lambda s: (s.table, s.source, s.reason))

    def _inputs(self, table: str, state: PartitionState) -> list[tuple[str, str]]:
        """The input partitions to look at next; what is stale about this one is noted."""
        found: list[tuple[str, str]] = []
        for name, data_version in state.inputs().items():
            upstream, _, source = name.partition("/")
            if not _is_open(upstream):
                continue
            self._read[table, upstream].add(source)
            there = self.head(upstream).partitions.get(source)
            if there is None:
                self._note(table, state.source, f"was built from {name}, which is no longer in the lake")
            elif there.data_version != data_version:
                self._note(table, state.source, f"was built from an older {name}")
            elif upstream.startswith(_VERDICTS):
                found += self._whole(upstream)
            else:
                found.append((upstream, source))
        return found

    def _whole(self, table: str) -> list[tuple[str, str]]:
        """A global verdict table answers for all its inputs at once, in the reserved partition."""
        if GLOBAL in self.head(table).partitions:
            return [(table, GLOBAL)]
        self._note(table, GLOBAL, "was never published whole")
        return []

    def _find_unread(self, sources: Sequence[str] | None) -> None:
        for (table, upstream), read in self._read.items():
            if upstream.startswith(_VERDICTS):
                continue
            own = self.head(table).partitions
            for state in self.head(upstream).select(sources):
                if state.rows and state.source not in read and state.source not in own:
                    whole = GLOBAL if GLOBAL in own else state.source
                    self._note(table, whole, f"never read the {state.rows} rows of {upstream}/{state.source}")

    def _note(self, table: str, source: str, reason: str) -> None:
        self._stale.append(Stale(table, source, reason))


def _is_open(table: str) -> bool:
    try:
        return contract_of(table).zone == "open"
    except ConfigError:
        return False
