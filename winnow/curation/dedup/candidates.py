"""Which rows must be compared: exact copies by key, the others by a shared band.

Rows are numbers in keep order. Grouping only says what can be judged apart; it never decides.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from winnow.curation.dedup.spill import SpillReader


def first_copies(reader: SpillReader) -> tuple[Any, Any]:
    """For each row the first row with the same exact key, itself if it is the first; and who has shingles.

    A row without shingles is a copy of nothing.
    """
    filled = np.zeros(reader.rows, bool)
    for start, marks in reader.mark_slices():
        filled[start : start + len(marks)] = marks["size"] > 0
    heads = reader.key_heads()
    # The sort is stable, so the first of a run of equal keys is the first in keep order.
    order = np.argsort(heads, kind="stable")
    equal = heads[order]
    same = np.append(False, equal[1:] == equal[:-1])
    for place in np.flatnonzero(same).tolist():
        same[place] = reader.same_key(order[place - 1], order[place])
    runs = np.maximum.accumulate(np.where(same, 0, np.arange(reader.rows)))
    first = np.empty(reader.rows, np.int64)
    first[order] = order[runs]
    return np.where(filled, first, np.arange(reader.rows)), filled


def components(reader: SpillReader, bands: int, chosen: Any) -> tuple[Any, Any]:
    """The chosen rows that share a band with another, group by group, and where each group begins.

    A group is all that is joined through shared bands, its rows are in keep order, and groups are in the
    order of their first row.
    """
    numbers = np.flatnonzero(chosen)
    parent = np.arange(len(numbers))
    for band in range(bands):
        column = reader.band(band)[chosen]
        order = np.argsort(column)
        ordered = column[order]
        equal = np.flatnonzero(ordered[1:] == ordered[:-1])
        _join(parent, order[equal], order[equal + 1])
    grouped = np.bincount(parent, minlength=len(parent))[parent] > 1
    members = np.flatnonzero(grouped)
    members = members[np.argsort(parent[members], kind="stable")]
    labels = parent[members]
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    return numbers[members], starts


def _join(parent: Any, a: Any, b: Any) -> None:
    """Unites the groups of a[i] and b[i]; `parent` stays flat, each row naming the first row of its group."""
    while True:
        left, right = parent[a], parent[b]
        apart = left != right
        if not apart.any():
            return
        left, right = left[apart], right[apart]
        np.minimum.at(parent, np.maximum(left, right), np.minimum(left, right))
        while True:
            above = parent[parent]
            if np.array_equal(above, parent):
                break
            parent[:] = above


def chunks(rows: Any, starts: Any, target: int) -> Iterator[Any]:
    """Whole groups together, at least `target` rows a chunk but for the last."""
    ends = np.append(starts[1:], len(rows))
    begin = 0
    while begin < len(rows):
        reached = min(int(np.searchsorted(ends, begin + target)), len(ends) - 1)
        yield rows[begin : ends[reached]]
        begin = int(ends[reached])
