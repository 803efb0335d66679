"""raw: every record of a source, byte for byte."""

import dagster as dg

from assets.build import Work, judged_only, publish_judged, unchanged
from assets.checks import AssetEvents
from assets.layer import build_layer, layer
from assets.partitions import declared_sources
from assets.reporting import LayerReport
from assets.resources import LakeResource
from schemas.raw import RAW
from winnow.core.identity import stage_version
from winnow.curation.sources import CODE_VERSION, read, source_version


def build_raw(work: Work) -> LayerReport:
    """Reads a source unless its content and its entry are those of the published partition."""
    declared = declared_sources()
    source, settings = declared.by_id(work.source), declared.read_settings()
    inputs = {f"source:{source.id}": source_version(source, settings)}
    version = stage_version("ingest", CODE_VERSION, {}, inputs)
    if skipped := unchanged(work.lake, RAW, source.id, version):
        return skipped
    outputs = judged_only(read(source, settings))
    return publish_judged(work, RAW, "ingest", CODE_VERSION, version, inputs, outputs)


@dg.asset(**layer(RAW, CODE_VERSION, "parquet"))
def raw(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Every record of a source as it was read, in the restricted zone; oversized records are parked."""
    yield from build_layer(context, lake, build_raw)
