"""How often an identity has been seen, in a few bytes a row."""

from array import array

_FIRST_SLOTS = 1 << 12
_GROWTH = 1.5
_FULL = 0.8


class Occurrences:
    """Counts 64-bit identities: an open table of 12 bytes a slot, 15 to 23 bytes a row.

    A set of Python ints would take about 100. Two identities that share all 64 bits count as one; the cost is
    an occurrence that is one too high (one chance in 900 million at 200,000 rows), never a repeated row id.

    >>> seen = Occurrences()
    >>> [seen.next(identity) for identity in (7, 9, 7, 7)]
    [0, 0, 1, 2]
    """

    def __init__(self) -> None:
        self._used = 0
        self._slots = _FIRST_SLOTS
        self._identities = array("Q", bytes(8 * _FIRST_SLOTS))
        self._counts = array("I", bytes(4 * _FIRST_SLOTS))

    def next(self, identity: int) -> int:
        """0 for the first time, 1 for the second, and so on."""
        slot = self._find(identity)
        count = self._counts[slot]
        if count == 0:
            if self._used >= self._slots * _FULL:
                self._grow()
                slot = self._find(identity)
            self._used += 1
            self._identities[slot] = identity
        self._counts[slot] = count + 1
        return count

    def _find(self, identity: int) -> int:
        """The slot of the identity, or the empty one where it belongs."""
        identities, counts, slots = self._identities, self._counts, self._slots
        slot = identity % slots
        while counts[slot] and identities[slot] != identity:
            slot = slot + 1 if slot + 1 < slots else 0
        return slot

    def _grow(self) -> None:
        identities, counts = self._identities, self._counts
        self._slots = int(self._slots * _GROWTH) | 1
        self._identities = array("Q", bytes(8 * self._slots))
        self._counts = array("I", bytes(4 * self._slots))
        for identity, count in zip(identities, counts, strict=True):
            if count:
                slot = self._find(identity)
                self._identities[slot], self._counts[slot] = identity, count
