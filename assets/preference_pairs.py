"""preference_pairs: right and wrong answers to one prompt, proven by running them."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import dagster as dg

from assets.build import Say, Work, publish_judged, unchanged
from assets.checks import AUDIT, AssetEvents, audit_spec, explained
from assets.partitions import declared_sources
from assets.reporting import LayerReport, column_lineage, funnel, table_metadata
from assets.resources import LakeResource
from assets.settings import winnow_config
from schemas.preference import PREFERENCE_PAIRS, SPLITS
from schemas.rows import CURATED
from winnow.core.errors import ConfigError, DataError
from winnow.core.identity import digest, stage_version
from winnow.core.progress import Progress
from winnow.curation.preference import (
    CODE_VERSION,
    DocumentedFunction,
    Environment,
    Pair,
    PreferenceConfig,
    Selection,
    find_pairs,
    judged_pairs,
    package_folders,
    select,
)
from winnow.curation.sources.distributions import STDLIB, installed_versions
from winnow.curation.split import build_heldout_index
from winnow.lake.lake import Lake, TableHead
from winnow.sandbox import Sandbox, unavailable


@dataclass(frozen=True)
class _Plan:
    """What the pairs of the curated rows follow from, and which partitions hold others."""

    head: TableHead
    selection: Selection
    inputs: dict[str, dict[str, str]]
    """By source, in the order of the sources file."""
    versions: dict[str, str]
    unchanged: dict[str, LayerReport]

    @property
    def left(self) -> list[str]:
        return [source for source in self.inputs if source not in self.unchanged]

    @property
    def functions(self) -> list[DocumentedFunction]:
        """To be run, for partitions that are not as they would come out."""
        return [function for source in self.left for function in self.selection.of(source)]


def needs_sandbox(lake: Lake) -> bool:
    """Whether pairs of the rows as they are now can only be had by running code.

    Raises DataError where nothing is curated yet.
    """
    return bool(_plan(lake).functions)


def build_preference_pairs(lake: Lake, workers: int, say: Say) -> list[LayerReport]:
    """The pairs of every published source; nothing is run for a partition that would not change.

    One may change with its rows, its share of the selection, the configuration, and the versions of Python and of
    the distributions that its functions import. Raises ConfigError with the remedy where code would have to run and no
    sandbox starts here.
    """
    plan = _plan(lake)
    config = winnow_config().preference
    found = _run(plan.functions, config, workers, say) if plan.functions else {}
    made = {
        source: publish_judged(
            Work(lake, source, workers, say),
            PREFERENCE_PAIRS,
            "preference",
            CODE_VERSION,
            plan.versions[source],
            plan.inputs[source],
            judged_pairs(lake.scan("curated", [source], head=plan.head), plan.selection, found, config),
            plan.head.partitions[source].rows,
            fan_out=True,
        )
        for source in plan.left
    }
    return [plan.unchanged.get(source) or made[source] for source in plan.inputs]


def _run(
    functions: list[DocumentedFunction], config: PreferenceConfig, workers: int, say: Say
) -> dict[str, Pair | str]:
    if remedy := unavailable():
        raise ConfigError(f"preference pairs are made by running code, and no sandbox starts here: {remedy}")
    progress = Progress("preference pairs: functions", say, len(functions))
    packages = package_folders()
    with Sandbox(workers, read_only=packages) as sandbox:
        return find_pairs(functions, config, sandbox, packages, progress.add)


def _plan(lake: Lake) -> _Plan:
    head = lake.head("curated")
    order = [source.id for source in declared_sources().sources if source.id in head.partitions]
    if not order:
        raise DataError(
            "curated has no partition yet: materialize asset `curated` for at least one source first"
        )
    selection, packages = _selection(lake, head, order), Environment.installed()
    inputs = {source: _inputs(head, source, selection, packages) for source in order}
    versions = {source: _version(inputs[source]) for source in order}
    found = {source: unchanged(lake, PREFERENCE_PAIRS, source, versions[source]) for source in order}
    return _Plan(head, selection, inputs, versions, {source: r for source, r in found.items() if r})


def _selection(lake: Lake, head: TableHead, order: list[str]) -> Selection:
    config, split = winnow_config().preference, winnow_config().split
    index = build_heldout_index(lambda columns: lake.scan("curated", order, list(columns), head=head), split)
    return select(lake.scan("curated", order, head=head), index, split, config, installed_versions())


def _inputs(head: TableHead, source: str, selection: Selection, packages: Environment) -> dict[str, str]:
    return {
        f"curated/{source}": head.partitions[source].data_version,
        "selection": selection.digest(source),
        "packages": digest(packages.needed_by(selection.of(source))),
    }


def _version(inputs: dict[str, str]) -> str:
    config = winnow_config().preference.model_dump(mode="json")
    return stage_version(
        "preference", CODE_VERSION, {"config": config, "python": installed_versions()[STDLIB]}, inputs
    )


def _pairs_by_split(lake: Lake) -> Counter[str]:
    counts: Counter[str] = Counter(dict.fromkeys(SPLITS, 0))
    for batch in lake.scan("preference_pairs", columns=["split"]):
        counts.update(batch.column("split").to_pylist())
    return counts


@dg.asset(
    deps=["curated"],
    group_name="preference_pairs",
    kinds={"python", "deltalake"},
    owners=["team:data"],
    check_specs=[audit_spec("preference_pairs")],
    metadata=table_metadata(PREFERENCE_PAIRS),
    code_version=CODE_VERSION,
)
def preference_pairs(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Functions that pass their doctests in the sandbox, each beside a copy with one fault that fails them."""

    def work() -> tuple[list[LayerReport], dict[str, Any]]:
        opened = lake.open()
        reports = build_preference_pairs(opened, lake.worker_count(), context.log.info)
        counts: Counter[str] = Counter()
        for report in reports:
            counts.update(funnel(opened, report))
        told = {f"pairs_{split}": pairs for split, pairs in _pairs_by_split(opened).items()}
        return reports, {"dagster/uri": opened.zone("open").uri("preference_pairs"), **counts, **told}

    reports, told = yield from explained(work, "preference_pairs")
    yield dg.AssetCheckResult(check_name=AUDIT, passed=True, metadata=told)
    yield dg.MaterializeResult(
        metadata={
            **table_metadata(PREFERENCE_PAIRS),
            "dagster/row_count": sum(report.state.rows for report in reports),
            "dagster/column_lineage": column_lineage(PREFERENCE_PAIRS, CURATED),
            "rows_by_source": {report.state.source: report.state.rows for report in reports},
            "skipped": not any(report.written for report in reports),
            "partitions_written": sum(report.written for report in reports),
            **told,
        },
        data_version=dg.DataVersion(digest({r.state.source: r.state.data_version for r in reports})),
    )
