"""Token counts of a source by content, small enough to hold: 16 bytes a content."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winnow.lake.lake import Lake


class TokenIndex:
    """Tokens of rows by their content hash. Its first 64 bits are the key: a chance clash only shifts a sum."""

    def __init__(self, lake: Lake, source: str) -> None:
        keys: list[npt.NDArray[np.uint64]] = []
        tokens: list[npt.NDArray[np.int64]] = []
        for batch in lake.scan("token_counts", [source], ["content_hash", "tokens"]):
            keys.append(_keys(batch["content_hash"]))
            tokens.append(batch["tokens"].to_numpy(zero_copy_only=False))
        self._keys = np.concatenate(keys) if keys else np.empty(0, np.uint64)
        self._tokens = np.concatenate(tokens) if tokens else np.empty(0, np.int64)
        order = np.argsort(self._keys, kind="stable")
        self._keys, self._tokens = self._keys[order], self._tokens[order]

    def __bool__(self) -> bool:
        return bool(len(self._keys))

    def of(self, batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
        """Tokens of each row of a batch with a `content_hash` column; 0 for a content never counted."""
        if not len(self._keys):
            return np.zeros(batch.num_rows, np.int64)
        asked = _keys(batch["content_hash"])
        at = np.minimum(np.searchsorted(self._keys, asked), len(self._keys) - 1)
        return np.where(self._keys[at] == asked, self._tokens[at], 0)


def _keys(hashes: Any) -> npt.NDArray[np.uint64]:
    return np.array([int(value[:16], 16) for value in hashes.to_pylist()], np.uint64)
