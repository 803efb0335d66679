"""sanitized: the first layer that people may read."""

import dagster as dg
from pydantic import SecretStr

from assets.build import Work, build_row_stage
from assets.checks import AssetEvents
from assets.layer import build_layer, layer
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import CONVERSATIONS, SANITIZED
from winnow.curation.sanitize import SanitizeStage
from winnow.lake.keys import fingerprint_key
from winnow.models.tokenizer import load_tokenizer


def build_sanitized(work: Work) -> LayerReport:
    """Detectors over every string; the tokens of what comes out are counted on the way."""
    config = winnow_config()
    key = SecretStr(fingerprint_key(work.lake.zone("restricted")).hex())
    stage = SanitizeStage(
        config.sanitize.model_copy(update={"fingerprint_key": key}), load_tokenizer(config.tokenizer)
    )
    return build_row_stage(work, stage, "conversations", SANITIZED, counted=stage.tokens, cached=True)


@dg.asset(deps=["conversations"], **layer(SANITIZED, SanitizeStage.code_version))
def sanitized(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Conversations in which private and secret spans are replaced by their category."""
    yield from build_layer(context, lake, build_sanitized, CONVERSATIONS)
