"""curated: rows that passed every stage."""

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import AssetEvents
from assets.layer import build_layer, layer
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import CURATED, DECONTAMINATED
from winnow.curation.quality import QualityStage
from winnow.lake.token_index import TokenIndex


def build_curated(work: Work) -> LayerReport:
    stage = QualityStage(winnow_config().quality)
    tokens = TokenIndex(work.lake, work.source)
    return build_row_stage(work, stage, "decontaminated", CURATED, tokens.of, cached=True)


@dg.asset(deps=["decontaminated"], **layer(CURATED, QualityStage.code_version))
def curated(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Rows whose Python parses, wherever they hold Python; the set that train sets choose from."""
    yield from build_layer(context, lake, build_curated, DECONTAMINATED)
