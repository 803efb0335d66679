"""release: the exact files that training reads, named by their content."""

import dagster as dg

from assets.checks import AssetEvents, explained
from assets.resources import LakeResource
from assets.train_sets import check_one_split, check_pairs_split
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.release import build_release

RELEASED = ("sft_train", "sft_heldout")
PAIRS = "preference_pairs"


def build_training_release(lake: Lake) -> Release:
    """The release of both sets as they are now, and of the preference pairs where there are any.

    Raises DataError where they do not belong together.
    """
    check_one_split(lake)
    check_pairs_split(lake)
    pairs = [PAIRS] if lake.head(PAIRS).partitions else []
    return build_release(lake, tables=[*RELEASED, *pairs])


@dg.asset(
    deps=[*RELEASED, PAIRS],
    group_name="train_sets",
    kinds={"json"},
    owners=["team:data"],
)
def release(lake: LakeResource) -> AssetEvents:
    """A manifest of every file of the train and held-out sets and of the preference pairs.

    Refused when any layer behind them is stale.
    """

    def work() -> tuple[Release, str]:
        opened = lake.open()
        built = build_training_release(opened)
        return built, opened.zone("open").uri(f"releases/{built.name}.json")

    built, uri = yield from explained(work)
    yield dg.MaterializeResult(
        metadata={
            "release": built.name,
            "content_hash": built.content_hash,
            **{f"rows_{name}": table.rows for name, table in built.tables.items()},
            "files": sum(len(p.files) for t in built.tables.values() for p in t.partitions.values()),
            "dagster/uri": uri,
        },
        data_version=dg.DataVersion(built.content_hash),
    )
