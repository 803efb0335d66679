"""release: the exact files that training reads, named by their content."""

import dagster as dg

from assets.checks import AssetEvents, explained
from assets.resources import LakeResource
from assets.train_sets import check_one_split, check_pairs_split
from winnow.core.errors import DataError
from winnow.lake.lake import Lake
from winnow.lake.lineage import Lineage
from winnow.lake.manifest import Release
from winnow.lake.release import build_release
from winnow.sandbox import unavailable

RELEASED = ("sft_train", "sft_heldout")
PAIRS = "preference_pairs"


def build_training_release(lake: Lake) -> Release:
    """The release of both sets as they are now, and of the preference pairs where there are any.

    Raises DataError where they do not belong together; but pairs that cannot be made again here are left out.
    """
    check_one_split(lake)
    pairs = [] if pairs_left_out(lake) or not lake.head(PAIRS).partitions else [PAIRS]
    if pairs:
        check_pairs_split(lake)
    return build_release(lake, tables=[*RELEASED, *pairs])


def pairs_left_out(lake: Lake) -> str | None:
    """Why the pairs that there are are not released: they are out of date, and no sandbox starts to make them again.

    None where they are released, or where a release that is refused tells how to mend them.
    """
    if not lake.head(PAIRS).partitions or not unavailable():
        return None
    try:
        check_pairs_split(lake)
    except DataError as torn:
        return str(torn)
    stale = [found for found in Lineage(lake, {}).stale([PAIRS]) if found.table == PAIRS]
    return str(stale[0]) if stale else None


@dg.asset(
    deps=[*RELEASED, PAIRS],
    group_name="train_sets",
    kinds={"json"},
    owners=["team:data"],
)
def release(lake: LakeResource) -> AssetEvents:
    """A manifest of every file of the train and held-out sets and of the preference pairs.

    Refused when any layer behind them is stale; where no sandbox starts, stale pairs are left out.
    """

    def work() -> tuple[Release, dict[str, str]]:
        opened = lake.open()
        built = build_training_release(opened)
        told = {"dagster/uri": opened.zone("open").uri(f"releases/{built.name}.json")}
        left_out = pairs_left_out(opened)
        return built, told | ({"without_preference_pairs": left_out} if left_out else {})

    built, told = yield from explained(work)
    yield dg.MaterializeResult(
        metadata={
            "release": built.name,
            "content_hash": built.content_hash,
            **{f"rows_{name}": table.rows for name, table in built.tables.items()},
            "files": sum(len(p.files) for t in built.tables.values() for p in t.partitions.values()),
            **told,
        },
        data_version=dg.DataVersion(built.content_hash),
    )
