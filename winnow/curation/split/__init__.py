"""The split of curated rows into a training set and a held-out set that shares nothing with it."""

from winnow.curation.split.config import CODE_VERSION, SplitConfig
from winnow.curation.split.heldout import HeldoutIndex, build_heldout_index, index_shingles
from winnow.curation.split.plan import PLACE_COLUMNS, Scan, SplitPlan
from winnow.curation.split.stage import SplitStage

__all__ = [
    "CODE_VERSION",
    "PLACE_COLUMNS",
    "HeldoutIndex",
    "Scan",
    "SplitConfig",
    "SplitPlan",
    "SplitStage",
    "build_heldout_index",
    "index_shingles",
]
