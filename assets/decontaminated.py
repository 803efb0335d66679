"""decontaminated: rows that hold no benchmark item."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import audit_spec, audited
from assets.partitions import SOURCES
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import DECONTAMINATED
from winnow.curation.decontaminate import DecontaminateStage
from winnow.lake.token_index import TokenIndex


def build_decontaminated(work: Work) -> LayerReport:
    stage = DecontaminateStage(winnow_config().decontaminate)
    tokens = TokenIndex(work.lake, work.source)
    return build_row_stage(work, stage, "deduped", DECONTAMINATED, tokens.of, cached=True)


@dg.asset(
    partitions_def=SOURCES,
    deps=["deduped"],
    group_name="decontaminated",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("decontaminated")],
    code_version=DecontaminateStage.code_version,
)
def decontaminated(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[Any]:
    """Rows that cover no benchmark item beyond the threshold; each drop names benchmark and item."""
    opened = lake.open()
    work = Work(opened, context.partition_key, lake.worker_count(), context.log.info)
    yield from audited("decontaminated", opened, lambda: build_decontaminated(work), "deduped")
