"""Which fields hold an n-gram, by its hash."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnow.curation.decontaminate.ngrams import Hashes, Ids, hashes_at


class Found(NamedTuple):
    """Equal n-grams of fields and of a text, one a row: the field, the place in it, the place in the text."""

    fields: NDArray[np.int32]
    places: NDArray[np.int32]
    origins: NDArray[np.int64]


@dataclass(frozen=True)
class Postings:
    """Field and place of every n-gram of one length, sorted by hash."""

    length: int
    hashes: Hashes
    fields: NDArray[np.int32]
    places: NDArray[np.int32]

    @classmethod
    def build(cls, length: int, entries: list[tuple[int, Hashes, NDArray[np.int64]]]) -> "Postings":
        """Out of the number of each field, the hashes of its n-grams, and their places in it."""
        if not entries:
            return cls(length, np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros(0, np.int32))
        hashes = np.concatenate([found for _, found, _ in entries])
        fields = np.concatenate([np.full(len(found), number, np.int32) for number, found, _ in entries])
        places = np.concatenate([at for _, _, at in entries]).astype(np.int32)
        order = np.argsort(hashes, kind="stable")
        return cls(length, hashes[order], fields[order], places[order])

    def known(self, ids: Ids, values: Hashes, at: NDArray[np.int64]) -> tuple[Hashes, NDArray[np.int64]]:
        """Of the windows that begin at `at` those that a field has: their hashes, each once, and first places."""
        at = at[at + self.length <= len(ids)]
        wanted, first = np.unique(hashes_at(ids, values, self.length, at), return_index=True)
        left = np.searchsorted(self.hashes, wanted, "left")
        held = np.searchsorted(self.hashes, wanted, "right") > left
        return wanted[held], at[first[held]]

    def find(self, wanted: Hashes, origins: NDArray[np.int64]) -> Found:
        """Every posting of the wanted hashes, by field."""
        left = np.searchsorted(self.hashes, wanted, "left")
        count = np.searchsorted(self.hashes, wanted, "right") - left
        rows = np.repeat(left - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
        order = np.argsort(self.fields[rows], kind="stable")
        return Found(self.fields[rows][order], self.places[rows][order], np.repeat(origins, count)[order])
