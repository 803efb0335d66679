"""Jobs by what a user wants done."""

import dagster as dg

from assets.partitions import SOURCES

CURATED = ["raw", "conversations", "sanitized", "dedup_verdicts", "deduped", "decontaminated", "curated"]

JOBS = [
    dg.define_asset_job(
        "curate",
        selection=CURATED,
        partitions_def=SOURCES,
        description="One source through every curation layer; for several sources use a backfill.",
    ),
]
