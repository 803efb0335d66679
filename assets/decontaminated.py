"""decontaminated: rows that hold no benchmark item."""

from functools import lru_cache

import dagster as dg

from assets.build import Work, build_row_stage
from assets.checks import AssetEvents
from assets.layer import build_layer, layer
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import DECONTAMINATED, DEDUPED
from winnow.curation.decontaminate import DecontaminateConfig, DecontaminateStage
from winnow.lake.token_index import TokenIndex


@lru_cache(maxsize=1)
def _stage(config: str) -> DecontaminateStage:
    """The stage of a configuration, as JSON; a process that builds several sources reads the benchmarks once."""
    return DecontaminateStage(DecontaminateConfig.model_validate_json(config))


def build_decontaminated(work: Work) -> LayerReport:
    stage = _stage(winnow_config().decontaminate.model_dump_json())
    tokens = TokenIndex(work.lake, work.source)
    return build_row_stage(work, stage, "deduped", DECONTAMINATED, tokens.of, cached=True)


@dg.asset(deps=["deduped"], **layer(DECONTAMINATED, DecontaminateStage.code_version))
def decontaminated(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Rows that cover no benchmark item beyond the threshold; each drop names benchmark and item."""
    yield from build_layer(context, lake, build_decontaminated, DEDUPED)
