"""What a child process is given is what the release pins, and nothing of the other side."""

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from paired_lake import paired

from assets.release_files import export_pairs, export_rows, has_pairs, pair_groups
from winnow.core.errors import DataError
from winnow.lake.release import build_release


def test_pairs_of_a_side_are_written_and_those_of_the_other_are_not(tmp_path: Path) -> None:
    made = paired(tmp_path)
    for split, count in (("train", 1), ("heldout", 0)):
        export_pairs(made.lake, made.release, split, tmp_path / f"{split}.parquet")
        assert pq.read_table(tmp_path / f"{split}.parquet").num_rows == count
    (row,) = pq.read_table(tmp_path / "train.parquet").to_pylist()
    assert row == made.pair


def test_a_release_without_pairs_says_what_to_materialize(tmp_path: Path) -> None:
    made = paired(tmp_path)
    release = build_release(made.lake, tables=["sft_train"])
    assert (has_pairs(release), has_pairs(made.release)) == (False, True)
    with pytest.raises(DataError, match="materialize assets `preference_pairs` and `release`"):
        export_pairs(made.lake, release, "train", tmp_path / "pairs.parquet")


def test_rows_stay_those_of_the_release(tmp_path: Path) -> None:
    made = paired(tmp_path)
    export_rows(made.lake, made.release, "sft_train", tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == made.release.table("sft_train").rows


def test_the_distributions_of_a_side_are_those_of_its_pairs(tmp_path: Path) -> None:
    made = paired(tmp_path)
    assert pair_groups(made.lake, made.release, "train") == {"some"}
    assert pair_groups(made.lake, made.release, "heldout") == set()


def test_few_pairs_are_still_of_many_distributions(tmp_path: Path) -> None:
    """Distributions take turns, and more pairs hold all that fewer do."""
    rows = {f"d{n}": n + 1 for n in range(5)}
    made = paired(tmp_path, rows)
    pairs: dict[int, list[str]] = {}
    for most in (3, 5, 8, 99):
        export_pairs(made.lake, made.release, "heldout", tmp_path / "pairs.parquet", most, seed=1)
        table = pq.read_table(tmp_path / "pairs.parquet").to_pylist()
        pairs[most] = [row["row_id"] for row in table]
        assert len(table) == min(most, sum(rows.values()))
        counts = Counter(row["distribution"] for row in table)
        assert len(counts) == min(most, len(rows))
        assert all(counts[name] >= min(rows[name], max(counts.values()) - 1) for name in counts)
    assert set(pairs[3]) < set(pairs[5]) < set(pairs[8]) < set(pairs[99])
