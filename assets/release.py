"""release: the exact files that training reads, named by their content."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.resources import LakeResource
from winnow.core.errors import WinnowError
from winnow.lake.release import build_release

RELEASED = ("sft_train", "sft_heldout")


@dg.asset(
    deps=list(RELEASED),
    group_name="train_sets",
    kinds={"json"},
    owners=["team:data"],
)
def release(lake: LakeResource) -> Iterator[Any]:
    """A manifest of every file of the train and held-out sets, refused when any layer behind them is stale."""
    opened = lake.open()
    try:
        built = build_release(opened, tables=RELEASED)
    except WinnowError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from None
    yield dg.MaterializeResult(
        metadata={
            "release": built.name,
            "content_hash": built.content_hash,
            **{f"rows_{name}": table.rows for name, table in built.tables.items()},
            "files": sum(len(p.files) for t in built.tables.values() for p in t.partitions.values()),
            "dagster/uri": opened.zone("open").uri(f"releases/{built.name}.json"),
        },
        data_version=dg.DataVersion(built.content_hash),
    )
