"""conversations: every record in the one row form."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import audit_spec, audited
from assets.partitions import SOURCES, declared_sources
from assets.reporting import LayerReport
from assets.resources import LakeResource
from schemas.rows import CONVERSATIONS
from winnow.curation.normalize import Normalize


def build_conversations(work: Work) -> LayerReport:
    stage = Normalize(declared_sources().by_id(work.source).fields)
    return build_row_stage(work, stage, "raw", CONVERSATIONS)


@dg.asset(
    partitions_def=SOURCES,
    deps=["raw"],
    group_name="conversations",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("conversations")],
    code_version=Normalize.code_version,
)
def conversations(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[Any]:
    """Records as conversations, in the restricted zone; what cannot be read is parked with its reason."""
    opened = lake.open()
    work = Work(opened, context.partition_key, lake.worker_count(), context.log.info)
    yield from audited("conversations", opened, lambda: build_conversations(work), "raw")
