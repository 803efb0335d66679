"""Results of expensive stages by content, kept in the restricted zone between runs.

One object a stage, identity and source: magic, entry count, sorted entries (key 16 bytes, offset, length),
then the values. It is written whole after a run and replaces the one before, so it never holds more than the
source does, and a reader sees the old or the new one. Memory: 32 bytes an entry.
"""

import struct
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

import numpy as np
import numpy.typing as npt

from winnow.lake.names import new_nonce
from winnow.lake.zone import Zone

CACHE = "_cache"
WRITING = ".writing"
_MAGIC = b"WNWC1\0\0\0"
_HEADER = struct.Struct("<8sQ")
_ENTRY = np.dtype([("hi", "<u8"), ("lo", "<u8"), ("offset", "<u8"), ("length", "<u8")])
_CHUNK = 4 << 20


class StoredResults:
    """Looks up what the last run stored and collects what this one will; call `save` when the run is published."""

    def __init__(
        self, zone: Zone, stage: str, identity: str, source: str, scratch: str | Path | None = None
    ) -> None:
        """`scratch` is a private folder for temporary files, by default the system's."""
        self._zone, self._scratch = zone, scratch
        self.path = f"{CACHE}/{stage}/{identity}/{source}.results"
        self._entries: npt.NDArray[np.void] = np.empty(0, _ENTRY)
        self._old: IO[bytes] | None = None
        self._base = 0
        self._new: IO[bytes] = tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 lives as long as the cache
        self._written: array[int] = array("Q")
        self._size = 0

    def __enter__(self) -> Self:
        self._load()
        return self

    def __exit__(self, *_: object) -> None:
        self._new.close()
        if self._old is not None:
            self._old.close()

    def _load(self) -> None:
        if not self._zone.exists(self.path):
            return
        old: IO[bytes] = tempfile.TemporaryFile(dir=self._scratch)  # noqa: SIM115 lives as long as the cache
        with self._zone.open_input(self.path) as stored:
            while piece := stored.read(_CHUNK):
                old.write(piece)
        old.seek(0)
        magic, count = _HEADER.unpack(old.read(_HEADER.size))
        if magic != _MAGIC:
            old.close()
            return
        self._entries = np.frombuffer(old.read(count * _ENTRY.itemsize), _ENTRY)
        self._base = old.tell()
        self._old = old

    def get(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The stored value of each 16-byte key, or None."""
        if self._old is None or not len(self._entries):
            return [None] * len(keys)
        asked = np.frombuffer(b"".join(keys), "<u8").reshape(-1, 2)
        at = np.searchsorted(self._entries["hi"], asked[:, 0])
        found: list[bytes | None] = []
        for index, (hi, lo) in zip(at.tolist(), asked.tolist(), strict=True):
            found.append(self._read(index, hi, lo))
        return found

    def _read(self, index: int, hi: int, lo: int) -> bytes | None:
        assert self._old is not None
        while index < len(self._entries) and self._entries["hi"][index] == hi:
            entry = self._entries[index]
            if entry["lo"] == lo:
                self._old.seek(self._base + int(entry["offset"]))
                return self._old.read(int(entry["length"]))
            index += 1
        return None

    def put(self, key: bytes, value: bytes) -> None:
        """Stores a value for the next run; the same key twice is stored twice and found once."""
        hi, lo = struct.unpack("<QQ", key)
        self._written.extend((hi, lo, self._size, len(value)))
        self._new.write(value)
        self._size += len(value)

    def save(self) -> None:
        """Replaces the stored results by those of this run."""
        entries = np.frombuffer(self._written, "<u8").view(_ENTRY) if self._written else np.empty(0, _ENTRY)
        order = np.lexsort((entries["lo"], entries["hi"]))
        self._new.seek(0)
        # a name of its own: two runs of one source would write into each other's file
        writing = f"{self.path}.{new_nonce()}{WRITING}"
        with self._zone.open_output(writing) as out:
            out.write(_HEADER.pack(_MAGIC, len(entries)))
            out.write(entries[order].tobytes())
            while piece := self._new.read(_CHUNK):
                out.write(piece)
        self._zone.rename(writing, self.path)
