"""Which verdicts and counts belong to a layer as it stands: a stage commits them before its layer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from winnow.core.errors import WinnowError
from winnow.lake.faults import named_faults
from winnow.lake.head import PartitionState, TableHead, delta_table
from winnow.lake.lake import Lake
from winnow.lake.names import GLOBAL

LAYERS = {
    "ingest": "raw",
    "normalize": "conversations",
    "sanitize": "sanitized",
    "dedup": "deduped",
    "decontaminate": "decontaminated",
    "quality": "curated",
    "split": "sft_train",
    "preference": "preference_pairs",
}
"""Stage to the layer that it writes, in running order; the last two both go on from `curated`."""


@dataclass(frozen=True)
class Explanation:
    """Verdicts and counts of every stage, each at the version that its layer's head stands for.

    A partition of a layer that names no verdicts has none here. Where the restricted zone cannot be read, the
    newest verdicts and counts of its two layers are taken as they are.
    """

    lake: Lake
    head_of: Callable[[str], TableHead]

    def tables(self) -> Iterator[TableHead]:
        """`verdicts_<stage>` of each stage, then `stage_counts`, holding only what belongs to the layers."""
        counts = self.head_of("stage_counts")
        counted: dict[str, PartitionState] = {}
        for stage in LAYERS:
            newest = self.head_of(f"verdicts_{stage}")
            layer = self._layer(stage)
            states = newest.partitions.values() if layer is None else self._slices(layer, newest)
            yield replace(newest, partitions={s.source: s for s in states if s.source != GLOBAL})
            counted |= self._counts(stage, layer, counts)
        yield replace(counts, partitions=counted)

    def _layer(self, stage: str) -> TableHead | None:
        table = LAYERS[stage]
        if self.lake.zone_of(table).name == "open":
            return self.head_of(table)
        return self._restricted.get(table)

    @cached_property
    def _restricted(self) -> dict[str, TableHead]:
        zone = self.lake.zone("restricted")
        try:
            heads = {t: self.head_of(t) for t in LAYERS.values() if self.lake.zone_of(t) is zone}
        except WinnowError:
            return {}  # an analyst has no key to it
        return {table: head for table, head in heads.items() if head.version is not None}

    def _slices(self, layer: TableHead, newest: TableHead) -> Iterator[PartitionState]:
        for state in layer.partitions.values():
            found = self._slice(state, newest)
            if found is not None:
                yield found

    def _slice(self, layer: PartitionState, newest: TableHead) -> PartitionState | None:
        if layer.verdict_version is None:
            return None
        there = newest.partitions.get(layer.source)
        if there is not None and self._is_current(layer, newest, there):
            return there
        return self.lake.head(newest.table, layer.verdict_version).partitions.get(layer.source)

    def _is_current(self, layer: PartitionState, newest: TableHead, there: PartitionState) -> bool:
        """Whether the newest slice was made with the layer or, of a global stage, takes out the same rows."""
        if there.stage_version == layer.stage_version:
            return True
        if GLOBAL not in newest.partitions:
            return False
        return layer.inputs().get(f"{newest.table}/{layer.source}") == there.data_version

    def _counts(self, stage: str, layer: TableHead | None, counts: TableHead) -> dict[str, PartitionState]:
        found: dict[str, PartitionState] = {}
        for key, newest in counts.partitions.items():
            if newest.values[0] != stage:
                continue
            if layer is None:
                found[key] = newest
            elif newest.source in layer.partitions:
                state = self._counted(key, newest, layer.partitions[newest.source].stage_version)
                found |= {key: state} if state is not None else {}
        return found

    def _counted(self, key: str, newest: PartitionState, wanted: str) -> PartitionState | None:
        """The counts of a stage version; only a crash before the layer's commit leaves newer ones."""
        if newest.stage_version == wanted:
            return newest
        zone = newest.zone
        opened = delta_table(zone, "stage_counts")
        with named_faults(zone.settings, "reading the history of stage_counts"):
            commits = opened.history() if opened is not None else []
        for commit in commits:
            if commit.get("winnow.stage_version") == wanted and commit.get("winnow.source") == newest.source:
                state = self.lake.head("stage_counts", int(commit["version"])).partitions.get(key)
                if state is not None and state.stage_version == wanted:
                    return state
        return None
