"""Sources that are in the lake but no longer declared: their partitions are emptied, releases keep theirs."""

from winnow.curation.sources.config import Sources
from winnow.lake.explanation import LAYERS
from winnow.lake.lake import Lake
from winnow.lake.names import GLOBAL

TABLES = (*LAYERS.values(), "sft_heldout", "token_counts", "findings")


def retire_sources(lake: Lake, declared: Sources) -> list[str]:
    """Empties every layer of sources that were removed from the sources file; returns their ids."""
    ids = {source.id for source in declared.sources}
    retired: set[str] = set()
    for table in TABLES:
        for source in lake.head(table).partitions:
            # One without rows too: it names inputs that are gone, and no release could be made
            if source not in ids and source != GLOBAL and lake.empty_partition(table, source):
                retired.add(source)
    return sorted(retired)
