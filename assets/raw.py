"""raw: every record of a source, byte for byte."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.build import Work, judged_only, publish_judged, unchanged
from assets.checks import audit_spec, audited
from assets.partitions import SOURCES, declared_sources
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


@dg.asset(
    partitions_def=SOURCES,
    group_name="raw",
    kinds={"parquet", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("raw")],
    code_version=CODE_VERSION,
)
def raw(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[Any]:
    """Every record of a source as it was read, in the restricted zone; oversized records are parked."""
    opened = lake.open()
    work = Work(opened, context.partition_key, lake.worker_count(), context.log.info)
    yield from audited("raw", opened, lambda: build_raw(work))
