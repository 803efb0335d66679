"""A release refuses pairs that another split drew than the sets beside them."""

from pathlib import Path

import pytest
from paired_lake import paired
from small_lake import publish_layer

from assets.train_sets import check_pairs_split
from schemas.rows import SFT_HELDOUT
from winnow.core.errors import DataError


def test_pairs_of_one_side_each_pass(tmp_path: Path) -> None:
    check_pairs_split(paired(tmp_path, {"other": 2}).lake)


def test_a_distribution_on_both_sides_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"pairs of some are on both sides.*materialize assets `sft_train`"):
        check_pairs_split(paired(tmp_path, {"some": 1}).lake)


def test_a_pair_to_train_on_of_a_held_out_row_is_refused(tmp_path: Path) -> None:
    made = paired(tmp_path)
    rows = [row for b in made.lake.scan("curated", ["alpha"]) for row in b.to_pylist()]
    heldout = [row for row in rows if row["row_id"] == made.parent]
    publish_layer(made.lake, "split", SFT_HELDOUT, "alpha", 1, heldout)
    with pytest.raises(DataError, match="1 pairs to train on are held-out rows"):
        check_pairs_split(made.lake)
