"""A cap that takes the same rows wherever they stand, in memory bounded by the cap."""

import hashlib
from collections.abc import Iterable

import numpy as np

_BLOCK = 4096


def rank(row_id: str) -> int:
    """A 64-bit hash of the row id. Not the id itself: a later choice by id would see a skewed sample."""
    return int.from_bytes(hashlib.blake2b(row_id.encode(), digest_size=8, person=b"cap").digest(), "big")


def cap_limit(ranks: Iterable[int], cap: int) -> int | None:
    """The cap-th smallest rank, up to which rows are taken; None when there are not more than `cap`.

    >>> cap_limit([5, 1, 9, 3], 2), cap_limit([5, 1], 2)
    (3, None)
    """
    buffer = np.empty(cap + max(_BLOCK, cap), dtype=np.uint64)
    filled, overflowed = 0, False
    for value in ranks:
        if filled == len(buffer):
            buffer[:cap] = np.partition(buffer, cap - 1)[:cap]
            filled, overflowed = cap, True
        buffer[filled] = value
        filled += 1
    if filled <= cap and not overflowed:
        return None
    return int(np.partition(buffer[:filled], cap - 1)[cap - 1])
