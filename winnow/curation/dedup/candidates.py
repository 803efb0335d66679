"""Which rows must be compared: exact copies by key, the others by a shared band.

Rows are numbers in keep order. Grouping only says what can be judged apart; it never decides.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from winnow.curation.dedup.spill import SpillReader

_BAND_BYTES = 16 << 20


def first_copies(reader: SpillReader) -> tuple[Any, Any]:
    """For each row the first row with the same exact key, itself if it is the first; and who has shingles.

    A row without shingles is a copy of nothing.
    """
    filled = np.zeros(reader.rows, bool)
    for start, marks in reader.mark_slices():
        filled[start : start + len(marks)] = marks["size"] > 0
    first = np.arange(reader.rows)
    keys = reader.keys()
    order = np.lexsort(keys.T)
    same = np.zeros(reader.rows, bool)
    for part in range(keys.shape[1]):
        column = keys[order, part]
        equal = column[1:] == column[:-1]
        same[1:] = equal if part == 0 else same[1:] & equal
    # lexsort is stable, so the first of a run of equal keys is the first in keep order.
    heads = np.maximum.accumulate(np.where(same, 0, np.arange(reader.rows)))
    first[order] = order[heads]
    return np.where(filled, first, np.arange(reader.rows)), filled


def components(reader: SpillReader, bands: int, chosen: Any) -> tuple[Any, Any]:
    """The chosen rows that share a band with another, group by group, and where each group begins.

    A group is all that is joined through shared bands, its rows are in keep order, and groups are in the
    order of their first row.
    """
    numbers = np.flatnonzero(chosen)
    parent = np.arange(len(numbers))
    for column in _band_columns(reader, bands, chosen, len(numbers)):
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


def _band_columns(reader: SpillReader, bands: int, chosen: Any, count: int) -> Iterator[Any]:
    """The hashes of each band over the chosen rows; as many bands a pass over the file as memory allows."""
    at_once = max(1, min(bands, _BAND_BYTES // (8 * max(count, 1))))
    for low in range(0, bands, at_once):
        columns = np.empty((min(at_once, bands - low), count), np.uint64)
        at = 0
        for start, marks in reader.mark_slices():
            part = marks["bands"][chosen[start : start + len(marks)], low : low + len(columns)]
            columns[:, at : at + len(part)] = part.T
            at += len(part)
        yield from columns


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
