"""Which functions are run: of every distribution the lowest by hash, none near to one that is held out."""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from winnow.core.identity import digest
from winnow.curation.dedup.shingles import shingle_sets
from winnow.curation.preference.config import PreferenceConfig
from winnow.curation.preference.functions import (
    NO_DOCTEST,
    NO_FUNCTION,
    DocumentedFunction,
    documented_function,
)
from winnow.curation.split import HeldoutIndex, SplitConfig, SplitPlan, index_shingles

Split = Literal["train", "heldout"]
NOT_SAMPLED, SKIPPED = "not-sampled", "skipped-distribution"
NEAR_COPY, OTHER_VERSION = "heldout-near-copy", "other-version"
COLUMNS = ("row_id", "source", "kind", "meta", "messages")


@dataclass
class Selection:
    """The functions to run, by row id, and the rule for each function with doctests that is not run."""

    functions: dict[str, DocumentedFunction] = field(default_factory=dict)
    rules: dict[str, dict[str, str]] = field(default_factory=dict)
    """By source, then row id."""
    splits: dict[str, Split] = field(default_factory=dict)
    """The side of each distribution."""

    def of(self, source: str) -> list[DocumentedFunction]:
        """The functions of one source, by row id."""
        return [f for _, f in sorted(self.functions.items()) if f.source == source]

    def digest(self, source: str) -> str:
        """What of this selection the pairs and verdicts of one source depend on."""
        functions = [[f.row_id, f.text, f.version, self.splits[f.distribution]] for f in self.of(source)]
        return digest([functions, self.rules.get(source, {})])

    def rule(self, row: Mapping[str, Any]) -> str | None:
        """Why a row is not run; None where it is."""
        if row["row_id"] in self.functions:
            return None
        rule = self.rules.get(row["source"], {}).get(row["row_id"])
        return rule or (NO_DOCTEST if _is_function(row["meta"]) else NO_FUNCTION)

    def leave(self, source: str, row_id: str, rule: str) -> None:
        self.rules.setdefault(source, {})[row_id] = rule


def select(
    batches: Iterable[pa.RecordBatch],
    heldout_rows: HeldoutIndex,
    split: SplitConfig,
    config: PreferenceConfig,
    installed: Mapping[str, str],
) -> Selection:
    """Reads the rows once.

    `heldout_rows` are those that the train sets hold out; `installed` gives the version of each distribution
    that can be imported here. Memory: `functions_per_group` functions a distribution, and an id for each other
    function with doctests.
    """
    chosen, plan = Selection(), heldout_rows.plan
    lowest: dict[str, list[tuple[int, str, DocumentedFunction]]] = {}
    for row in _with_doctests(batches):
        function = documented_function(row)
        if isinstance(function, str):
            chosen.leave(row["source"], row["row_id"], function)
        elif function.distribution in config.skipped_distributions:
            chosen.leave(function.source, function.row_id, SKIPPED)
        elif installed.get(function.distribution) != function.version:
            chosen.leave(function.source, function.row_id, OTHER_VERSION)
        else:
            heap = lowest.setdefault(function.distribution, [])
            entry = (-plan.draw("preference", function.row_id), function.row_id, function)
            left = heapq.heappushpop(heap, entry) if len(heap) == config.functions_per_group else None
            if left is None:
                heapq.heappush(heap, entry)
            else:
                chosen.leave(left[2].source, left[1], NOT_SAMPLED)
    sampled = [function for heap in lowest.values() for _, _, function in heap]
    chosen.splits = {name: _split_of(name, plan, split, config) for name in lowest}
    heldout = [f for f in sampled if chosen.splits[f.distribution] == "heldout"]
    trained = [f for f in sampled if chosen.splits[f.distribution] == "train"]
    near = _near(trained, heldout, heldout_rows, split)
    for function in sampled:
        if function.row_id in near:
            chosen.leave(function.source, function.row_id, NEAR_COPY)
        else:
            chosen.functions[function.row_id] = function
    return chosen


def _split_of(distribution: str, plan: SplitPlan, split: SplitConfig, config: PreferenceConfig) -> Split:
    """Held out is what the train sets hold out, and more of the same draw up to `heldout_fraction`."""
    named = distribution in split.heldout_groups
    drawn = plan.draw("group", distribution) <= int(config.heldout_fraction * 2**64)
    return "heldout" if named or drawn or plan.is_heldout(distribution) else "train"


def _with_doctests(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """Rows that name a function and hold a prompt of a session, which few do: the others are not decoded."""
    for batch in batches:
        messages = batch.column("messages").to_pylist()
        for number, meta in enumerate(batch.column("meta").to_pylist()):
            if _is_function(meta) and any(">>>" in (m["content"] or "") for m in messages[number]):
                yield {name: batch.column(name)[number].as_py() for name in ("row_id", "source")} | {
                    "meta": meta,
                    "messages": messages[number],
                }


def _is_function(meta: str | None) -> bool:
    return meta is not None and '"qualname"' in meta


def _near(
    trained: Sequence[DocumentedFunction],
    heldout: Sequence[DocumentedFunction],
    heldout_rows: HeldoutIndex,
    split: SplitConfig,
) -> frozenset[str]:
    """Functions to train on that share `containment` of the smaller set of shingles with something held out."""
    ours = shingle_sets([f.text for f in trained], split.ngram)
    theirs = shingle_sets([f.text for f in heldout], split.ngram)
    functions = index_shingles(heldout_rows.plan, [(f.row_id, theirs[i]) for i, f in enumerate(heldout)])
    both = zip(trained, functions.nearest(ours), heldout_rows.nearest(ours), strict=True)
    return frozenset(
        f.row_id for f, *found in both if any(near and near[1] >= split.containment for near in found)
    )
