import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.core.errors import RunError
from winnow.curation.dedup.candidates import chunks, components, first_copies
from winnow.curation.dedup.config import DedupConfig
from winnow.curation.dedup.fingerprints import Fingerprints, mark_type
from winnow.curation.dedup.spill import SpillReader, SpillWriter

CONFIG = DedupConfig(bands=3, rows_per_band=2)
Row = tuple[int, tuple[int, int, int], int]
"""Exact key, band hashes, number of shingles."""

rows = st.lists(
    st.tuples(st.integers(0, 6), st.tuples(*[st.integers(0, 25)] * 3), st.integers(0, 2)), max_size=40
)


def spilled(rows: list[Row], folder: Path, at_once: int = 7) -> SpillReader:
    with SpillWriter(folder, CONFIG) as writer:
        for at in range(0, len(rows), at_once):
            part = rows[at : at + at_once]
            marks = np.zeros(len(part), mark_type(CONFIG))
            marks["size"] = [size for _, _, size in part]
            marks["at"] = np.cumsum(marks["size"]) - marks["size"]
            # Numbers differ between bands, as hashes do.
            marks["bands"] = [[100 * b + h for b, h in enumerate(bands)] for _, bands, _ in part]
            shingles = np.arange(sum(marks["size"]), dtype=np.uint64) + 1000 * at
            # Keys that agree in their first eight bytes only are told apart.
            keys = b"".join(bytes([key // 2] * 8 + [key] * 24) for key, _, _ in part)
            ids = b"".join((at + n).to_bytes(16, "big") for n in range(len(part)))
            writer.append(Fingerprints(ids, keys, marks, shingles))
    return SpillReader(folder, CONFIG)


@given(rows)
def test_the_first_copy_is_the_first_row_with_the_key(rows: list[Row]) -> None:
    # Where crafted keys that share their head stand between two copies, the later one is left to its bands.
    with tempfile.TemporaryDirectory() as folder, spilled(rows, Path(folder)) as reader:
        first, filled = first_copies(reader)
    assert filled.tolist() == [size > 0 for _, _, size in rows]
    keys = [key for key, _, _ in rows]
    for row, key in enumerate(keys):
        assert keys[first[row]] == key
        assert first[row] == row or (filled[row] and first[row] < row)
        clashes = any(other // 2 == key // 2 and other != key for other in keys)
        if filled[row] and not clashes:
            assert first[row] == keys.index(key)


@given(rows)
def test_groups_are_what_shared_bands_join(rows: list[Row]) -> None:
    chosen = np.array([size > 0 for _, _, size in rows], bool)
    with tempfile.TemporaryDirectory() as folder, spilled(rows, Path(folder)) as reader:
        members, starts = components(reader, CONFIG.bands, chosen)
    groups = [part.tolist() for part in np.split(members, starts[1:])] if len(starts) else []
    assert groups == joined({n: set(enumerate(rows[n][1])) for n in np.flatnonzero(chosen).tolist()})


def joined(buckets: dict[int, set[tuple[int, int]]]) -> list[list[int]]:
    """Groups of more than one row, by walking from row to row."""
    groups, left = [], set(buckets)
    while left:
        group, front = set(), {min(left)}
        while front:
            group |= front
            front = {n for n in left - group if any(buckets[n] & buckets[f] for f in group)}
        left -= group
        groups.append(sorted(group))
    return sorted(group for group in groups if len(group) > 1)


@given(st.lists(st.integers(2, 9), max_size=12), st.integers(1, 15))
def test_chunks_hold_whole_groups(sizes: list[int], target: int) -> None:
    members = np.arange(sum(sizes))
    starts = np.cumsum([0, *sizes])[:-1]
    parts = [part.tolist() for part in chunks(members, starts, target)]
    assert [row for part in parts for row in part] == members.tolist()
    assert {part[0] for part in parts} <= set(starts.tolist())
    assert all(len(part) >= target for part in parts[:-1])


def test_what_was_written_is_read_by_row_and_by_slice(tmp_path: Path) -> None:
    rows: list[Row] = [(n % 5, (n, n, n), n % 3) for n in range(20)]
    with spilled(rows, tmp_path) as reader:
        assert reader.row_ids(3, 2) == [f"{3:032x}", f"{4:032x}"]
        some = np.array([17, 2, 8])
        whole = np.concatenate([marks for _, marks in reader.mark_slices()])
        assert reader.marks(some).tobytes() == whole[some].tobytes()
        assert reader.shingles(int(whole[8]["at"]), 2).tolist() == [7001, 7002]
        assert reader.band(1).tolist() == [100 + n for n in range(20)]


def test_a_spill_file_cut_short_is_an_error_and_not_an_empty_answer(tmp_path: Path) -> None:
    with spilled([(0, (0, 0, 0), 2)] * 3, tmp_path) as reader:
        (tmp_path / "shingles").write_bytes(b"12345678")
        with pytest.raises(RunError, match="shorter than what was written"):
            reader.shingles(0, 2)


def test_a_full_disk_names_the_folder(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    (tmp_path / "shingles").symlink_to("/dev/full")
    with pytest.raises(RunError, match=f"spill folder {tmp_path}: No space left"):
        spilled([(0, (0, 0, 0), 2)] * 3, tmp_path)
