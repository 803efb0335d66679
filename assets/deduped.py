"""dedup_verdicts judges all sources at once; deduped rewrites a source only when its survivors changed."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from assets.build import Say, Work, input_partition, publish_judged, spill_folder, unchanged
from assets.checks import AUDIT, AssetEvents, audit_spec, explained
from assets.layer import build_layer, layer
from assets.partitions import declared_sources
from assets.reporting import LayerReport, column_lineage, table_metadata
from assets.resources import LakeResource
from assets.retired import retire_sources
from assets.settings import winnow_config
from schemas.rows import DEDUPED, SANITIZED
from schemas.verdicts import verdicts_contract
from winnow.core.apply import apply_verdicts
from winnow.core.cached import CacheUse
from winnow.core.errors import DataError
from winnow.core.identity import stage_version
from winnow.core.progress import Progress
from winnow.core.runner import shared_pool
from winnow.curation.dedup import CODE_VERSION, COLUMNS, fingerprint_identity, judge_duplicates
from winnow.lake.lake import Lake, TableHead
from winnow.lake.names import GLOBAL
from winnow.lake.result_cache import StoredResults
from winnow.lake.token_index import TokenIndex
from winnow.lake.verdicts import publish_global_verdicts

VERDICTS = verdicts_contract("dedup")


def build_dedup_verdicts(lake: Lake, workers: int, say: Say) -> tuple[TableHead, dict[str, Any]]:
    """Verdicts over every published source, in declared order; nothing is done when no input changed."""
    retired = retire_sources(lake, declared_sources())
    rows = lake.head("sanitized")
    order = [source.id for source in declared_sources().sources if source.id in rows.partitions]
    if not order:
        raise DataError(
            "sanitized has no partition yet: materialize asset `sanitized` for at least one source first"
        )
    versions = {source: rows.partitions[source].data_version for source in order}
    inputs = {f"sanitized/{source}": version for source, version in versions.items()}
    config = winnow_config().dedup
    identity = {"config": config.model_dump(mode="json"), "order": order}
    version = stage_version("dedup", CODE_VERSION, identity, inputs)
    base = lake.head("verdicts_dedup")
    total = sum(rows.partitions[source].rows for source in order)
    told: dict[str, Any] = {"sources": len(order), "rows_in": total, "retired_sources": retired}
    there = base.partitions.get(GLOBAL)
    if there is not None and there.stage_version == version:
        return base, {"skipped": True, **told}
    progress, use = Progress("dedup", say, total), CacheUse()
    with ExitStack() as stack:
        spill = Path(stack.enter_context(spill_folder(lake)))
        names = [*COLUMNS, "content_hash"]
        batches = ((s, b) for s in order for b in lake.scan("sanitized", [s], names, head=rows))
        executor = shared_pool(workers) if workers > 1 else None
        known = stack.enter_context(
            StoredResults(lake.zone("restricted"), "dedup", fingerprint_identity(config), "all", spill)
        )
        judged = judge_duplicates(batches, config, spill / "rows", workers, progress, executor, known, use)
        slices = {**dict.fromkeys(order, ()), **dict(judged)}
        head = publish_global_verdicts(
            lake, "dedup", slices, versions, version, inputs, code_version=CODE_VERSION, base=base
        )
        known.save()
    dropped = sum(state.rows for state in head.partitions.values())
    told |= {"rows_drop": dropped, "cache_hits": use.hits, "cache_misses": use.misses}
    return head, {"skipped": False, **told, "seconds": round(progress.seconds, 3)}


@dg.asset(
    deps=["sanitized"],
    group_name="deduped",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("dedup_verdicts")],
    metadata=table_metadata(VERDICTS),
    code_version=CODE_VERSION,
)
def dedup_verdicts(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """For every row of every source, whether it repeats a kept one: exact, or near and verified."""

    def work() -> tuple[TableHead, dict[str, Any]]:
        opened = lake.open()
        head, told = build_dedup_verdicts(opened, lake.worker_count(), context.log.info)
        return head, {"dagster/uri": opened.zone(VERDICTS.zone).uri(VERDICTS.table), **told}

    head, told = yield from explained(work, "dedup_verdicts")
    rows = sum(state.rows for state in head.partitions.values())
    yield dg.AssetCheckResult(check_name=AUDIT, passed=True, metadata={"rows_drop": rows})
    yield dg.MaterializeResult(
        metadata={
            **table_metadata(VERDICTS),
            "dagster/column_lineage": column_lineage(VERDICTS, SANITIZED),
            "dagster/row_count": rows,
            "rows_drop": rows,
            **told,
        },
        data_version=dg.DataVersion(head.partitions[GLOBAL].stage_version),
    )


def build_deduped(work: Work) -> LayerReport:
    """The survivors of a source. Raises DataError when the verdicts were made from older rows."""
    rows, state = input_partition(work.lake, "sanitized", work.source)
    verdicts = work.lake.head("verdicts_dedup")
    judged = verdicts.partitions.get(work.source)
    if judged is None or judged.inputs().get("judged") != state.data_version:
        raise DataError(
            f"verdicts_dedup does not judge the present rows of source `{work.source}`: "
            "materialize asset `dedup_verdicts` first"
        )
    inputs = {
        f"sanitized/{work.source}": state.data_version,
        f"verdicts_dedup/{work.source}": judged.data_version,
    }
    version = stage_version("dedup", CODE_VERSION, {}, inputs)
    if skipped := unchanged(work.lake, DEDUPED, work.source, version):
        return skipped
    batches = work.lake.scan("sanitized", [work.source], head=rows)
    said: Iterator[pa.RecordBatch] = work.lake.scan("verdicts_dedup", [work.source], head=verdicts)
    return publish_judged(
        work,
        DEDUPED,
        "dedup",
        CODE_VERSION,
        version,
        inputs,
        apply_verdicts(batches, said),
        state.rows,
        TokenIndex(work.lake, work.source).of,
        verdict_version=verdicts.version,
    )


@dg.asset(deps=["sanitized", dedup_verdicts], **layer(DEDUPED, CODE_VERSION))
def deduped(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """The rows of a source that repeat no kept row of any source."""
    yield from build_layer(context, lake, build_deduped, SANITIZED)
