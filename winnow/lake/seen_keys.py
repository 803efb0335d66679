"""Which keys have come before, at a size that a whole partition can afford."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class SeenKeys:
    """A set of 16-byte digests in sorted runs. Memory: 16 bytes a key, twice that while runs are merged."""

    def __init__(self) -> None:
        self._runs: list[npt.NDArray[Any]] = []

    def fresh(self, digests: Sequence[bytes]) -> npt.NDArray[np.bool_]:
        """Which of these digests come for the first time, within this call too; all are known afterwards."""
        asked = np.frombuffer(b"".join(digests), "S16")
        fresh = np.zeros(len(asked), np.bool_)
        fresh[np.unique(asked, return_index=True)[1]] = True
        for run in self._runs:
            at = np.minimum(np.searchsorted(run, asked), len(run) - 1)
            fresh &= run[at] != asked
        if fresh.any():
            self._add(np.sort(asked[fresh]))
        return fresh

    def _add(self, run: npt.NDArray[Any]) -> None:
        # merging only with runs of its size or less keeps their number logarithmic
        while self._runs and len(self._runs[-1]) <= len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]))
        self._runs.append(run)
