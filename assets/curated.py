"""curated: rows that passed every stage."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import audit_spec, audited
from assets.partitions import SOURCES
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import CURATED
from winnow.curation.quality import QualityStage
from winnow.lake.token_index import TokenIndex


def build_curated(work: Work) -> LayerReport:
    stage = QualityStage(winnow_config().quality)
    tokens = TokenIndex(work.lake, work.source)
    return build_row_stage(work, stage, "decontaminated", CURATED, tokens.of, cached=True)


@dg.asset(
    partitions_def=SOURCES,
    deps=["decontaminated"],
    group_name="curated",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("curated")],
    code_version=QualityStage.code_version,
)
def curated(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[Any]:
    """Rows whose Python parses, wherever they hold Python; the set that train sets choose from."""
    opened = lake.open()
    work = Work(opened, context.partition_key, lake.worker_count(), context.log.info)
    yield from audited("curated", opened, lambda: build_curated(work), "decontaminated")
