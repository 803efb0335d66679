"""Files that hold what deduplication knows of every row, so that memory does not grow with the rows.

Written once in row order by one writer, then read in slices or by offset; never mapped into memory, where
pages would count as ours.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import numpy as np

from winnow.core.errors import RunError
from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.fingerprints import Fingerprints, mark_type

_NAMES = ("ids", "keys", "marks", "shingles")
_SLICE_ROWS = 4096


def _band_name(band: int) -> str:
    return f"band-{band:03}"


class SpillWriter:
    """Appends fingerprints to the files of a folder, which is made if need be and emptied of earlier ones."""

    def __init__(self, folder: Path, config: DedupConfig) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        names = [*_NAMES, *(_band_name(band) for band in range(config.bands))]
        self._files = {name: (folder / name).open("wb") for name in names}
        self._shingles = 0
        self.rows = 0

    def append(self, prints: Fingerprints) -> None:
        """Raises RunError where the disk is full or fails."""
        marks = prints.marks
        marks["at"] += self._shingles
        self._shingles += len(prints.shingles)
        self.rows += len(marks)
        try:
            self._files["ids"].write(prints.ids)
            self._files["keys"].write(prints.keys)
            self._files["marks"].write(marks.tobytes())
            self._files["shingles"].write(prints.shingles.tobytes())
            for band, column in enumerate(marks["bands"].T):
                self._files[_band_name(band)].write(column.tobytes())
        except OSError as error:
            raise self._full(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            try:
                file.close()
            except OSError as error:
                raise self._full(error) from error

    def _full(self, error: OSError) -> RunError:
        return RunError(
            f"cannot write to the spill folder {self._folder}: {error.strerror}. It takes about 2 bytes a "
            "byte of text; free space or give another folder"
        )


class SpillReader:
    """Reads what a SpillWriter wrote; opened anew in each process."""

    def __init__(self, folder: Path, config: DedupConfig) -> None:
        self._folder = folder
        self._mark = mark_type(config)
        self._fds = {name: os.open(folder / name, os.O_RDONLY) for name in _NAMES}
        self.rows = os.fstat(self._fds["ids"]).st_size // 16

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self._fds.values():
            os.close(fd)

    def _read(self, name: str, start: int, count: int, dtype: Any) -> Any:
        width = np.dtype(dtype).itemsize
        return np.frombuffer(_pread(self._fds[name], count * width, start * width), dtype)

    def row_ids(self, start: int, count: int) -> list[str]:
        packed = _pread(self._fds["ids"], 16 * count, 16 * start).hex()
        return [packed[at : at + 32] for at in range(0, len(packed), 32)]

    def key_heads(self) -> Any:
        """The first eight bytes of the exact key of every row, as uint64."""
        heads = np.empty(self.rows, np.uint64)
        for start in range(0, self.rows, _SLICE_ROWS):
            count = min(_SLICE_ROWS, self.rows - start)
            heads[start : start + count] = self._read("keys", 4 * start, 4 * count, "<u8")[::4]
        return heads

    def same_key(self, row: int, other: int) -> bool:
        """Whether two rows have the same exact key."""
        return _pread(self._fds["keys"], 32, 32 * row) == _pread(self._fds["keys"], 32, 32 * other)

    def band(self, band: int) -> Any:
        """One band's hash of every row."""
        return np.fromfile(self._folder / _band_name(band), "<u8")

    def mark_slices(self) -> Iterator[tuple[int, Any]]:
        """All marks in row order, a slice at a time, with the number of the first row."""
        for start in range(0, self.rows, _SLICE_ROWS):
            yield start, self._read("marks", start, min(_SLICE_ROWS, self.rows - start), self._mark)

    def marks(self, rows: Any) -> Any:
        """The marks of some rows, in the order asked for."""
        width = self._mark.itemsize
        records = (_pread(self._fds["marks"], width, row * width) for row in rows.tolist())
        return np.frombuffer(b"".join(records), self._mark)

    def shingles(self, at: int, size: int) -> Any:
        """The shingle set that a mark points to."""
        return self._read("shingles", at, size, "<u8")


def _pread(fd: int, size: int, offset: int) -> bytes:
    """`size` bytes; one call reads at most 2 GiB."""
    data = os.pread(fd, size, offset)
    while len(data) < size:
        more = os.pread(fd, size - len(data), offset + len(data))
        if not more:
            raise RunError("a spill file is shorter than what was written to it; run again")
        data += more
    return data
