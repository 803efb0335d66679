"""One partition of a layer from the one before: skip what is unchanged, run, audit, publish."""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from assets.reporting import LayerReport
from assets.token_account import TokensOf, write_judged
from schemas.contract import Contract
from winnow.core.cached import CacheUse, run_cached
from winnow.core.errors import ConfigError, DataError
from winnow.core.identity import digest, stage_version
from winnow.core.progress import Progress
from winnow.core.runner import Judged, run_stage
from winnow.core.stage import Stage, StageOutput
from winnow.curation.tokens import RowTokens
from winnow.lake.lake import Lake, PartitionState, TableHead
from winnow.lake.publish import publish
from winnow.lake.result_cache import StoredResults

Say = Callable[[str], None]
Seen = Callable[[StageOutput], None]


@dataclass(frozen=True)
class Work:
    """What a build needs beside its data: the lake, one source, and how it runs."""

    lake: Lake
    source: str
    workers: int
    say: Say


def input_partition(
    lake: Lake, table: str, source: str, head: TableHead | None = None
) -> tuple[TableHead, PartitionState]:
    """The head of a layer, by default the newest, and its partition for a source.

    Raises DataError when it was never published.
    """
    head = head or lake.head(table)
    if source not in head.partitions:
        raise DataError(
            f"{table} has no partition for source `{source}`: materialize asset `{table}` for it first"
        )
    return head, head.partitions[source]


def unchanged(lake: Lake, contract: Contract, source: str, version: str) -> LayerReport | None:
    """A report that says skipped, when the head already holds this stage version."""
    state = lake.head(contract.table).partitions.get(source)
    if state is None or state.stage_version != version:
        return None
    return LayerReport(contract, state, written=False)


def build_row_stage(
    work: Work,
    stage: Stage,
    upstream: str,
    contract: Contract,
    tokens: TokensOf | None = None,
    counted: RowTokens | None = None,
    cached: bool = False,
    cache_key: str = "",
    head: TableHead | None = None,
    shared: Mapping[str, str] | None = None,
    seen: Seen | None = None,
) -> LayerReport:
    """A layer whose stage judges each row by itself, out of the same source's partition upstream.

    `head` pins the version of `upstream` that is read; by default the newest. `shared` names inputs that all
    partitions have in common. `seen` is shown every output as it is written;
    `cache_key` is what results depend on and the stage's identity must not tell.
    """
    head, state = input_partition(work.lake, upstream, work.source, head)
    inputs = {f"{upstream}/{work.source}": state.data_version, **(shared or {})}
    identity = dict(stage.identity())
    version = stage_version(stage.name, stage.code_version, identity, inputs)
    if skipped := unchanged(work.lake, contract, work.source, version):
        return skipped
    use = CacheUse()
    with ExitStack() as stack:
        batches = work.lake.scan(upstream, [work.source], head=head)
        scratch = Path(stack.enter_context(spill_folder(work.lake)))
        store = None
        if cached:
            name = digest([stage.name, stage.code_version, identity, cache_key])
            store = stack.enter_context(
                StoredResults(work.lake.zone("restricted"), stage.name, name, work.source, scratch)
            )
            judged = run_cached(stage, batches, store, use, work.workers, scratch)
        else:
            judged = run_stage(stage, batches, work.workers, scratch)
        report = publish_judged(
            work,
            contract,
            stage.name,
            stage.code_version,
            version,
            inputs,
            judged,
            state.rows,
            tokens,
            counted,
            seen=seen,
        )
        if store is not None:
            store.save()
    extra = {"cache_hits": use.hits, "cache_misses": use.misses} if cached else {}
    return LayerReport(report.contract, report.state, report.written, {**report.extra, **extra})


def publish_judged(
    work: Work,
    contract: Contract,
    stage: str,
    code_version: str,
    version: str,
    inputs: Mapping[str, str],
    judged: Iterable[Judged],
    total: int | None = None,
    tokens: TokensOf | None = None,
    counted: RowTokens | None = None,
    verdict_version: int | None = None,
    fan_out: bool = False,
    seen: Seen | None = None,
) -> LayerReport:
    """Writes the candidate and publishes it. Raises AuditError when it fails its audit, and it lies under rejected/."""
    progress = Progress(f"{stage} {work.source}", work.say, total)
    candidate = work.lake.candidate(
        contract,
        work.source,
        stage,
        version,
        code_version,
        inputs,
        verdict_version=verdict_version,
        fan_out=fan_out,
    )
    with candidate:
        for item in judged:
            write_judged(candidate, item, tokens, counted)
            if seen is not None:
                seen(item.output)
            progress.add(item.batch.num_rows)
    published = publish(work.lake, candidate)
    rate = round(progress.rows / max(progress.seconds, 1e-6), 1)
    return LayerReport(
        contract,
        published.state,
        published.written,
        {"seconds": round(progress.seconds, 3), "rows_per_second": rate},
    )


def judged_only(outputs: Iterable[StageOutput]) -> Iterator[Judged]:
    """Outputs of a stage that has no input batch of its own: the reading of a source."""
    for output in outputs:
        rows = pa.RecordBatch.from_pydict({"row_id": pa.nulls(output.rows_in, pa.string())})
        yield Judged(rows, output)


def spill_folder(lake: Lake) -> "tempfile.TemporaryDirectory[str]":
    """A private folder for spill files: under WINNOW_SPILL, else in the restricted root where that is a directory."""
    zone = lake.zone("restricted")
    parent = os.environ.get("WINNOW_SPILL") or (None if zone.settings.is_s3 else zone.uri("_spill"))
    if parent:
        zone.ensure()
        try:
            Path(parent).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"WINNOW_SPILL={parent} cannot be used ({error.strerror}). Set WINNOW_SPILL to a folder of your own"
            ) from None
    return tempfile.TemporaryDirectory(prefix="winnow-spill-", dir=parent)
