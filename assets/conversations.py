"""conversations: every record in the one row form."""

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import AssetEvents
from assets.layer import build_layer, layer
from assets.partitions import declared_sources
from assets.reporting import LayerReport
from assets.resources import LakeResource
from schemas.raw import RAW
from schemas.rows import CONVERSATIONS
from winnow.curation.normalize import Normalize


def build_conversations(work: Work) -> LayerReport:
    stage = Normalize(declared_sources().by_id(work.source).fields)
    return build_row_stage(work, stage, "raw", CONVERSATIONS)


@dg.asset(deps=["raw"], **layer(CONVERSATIONS, Normalize.code_version))
def conversations(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Records as conversations, in the restricted zone; what cannot be read is parked with its reason."""
    yield from build_layer(context, lake, build_conversations, RAW)
