"""sanitized: the first layer that people may read."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
from pydantic import SecretStr

from assets.build import Work, build_row_stage
from assets.checks import audit_spec, audited
from assets.partitions import SOURCES
from assets.reporting import LayerReport
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.rows import SANITIZED
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


@dg.asset(
    partitions_def=SOURCES,
    deps=["conversations"],
    group_name="sanitized",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("sanitized")],
    code_version=SanitizeStage.code_version,
)
def sanitized(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[Any]:
    """Conversations in which private and secret spans are replaced by their category."""
    opened = lake.open()
    work = Work(opened, context.partition_key, lake.worker_count(), context.log.info)
    yield from audited("sanitized", opened, lambda: build_sanitized(work), "conversations")
