"""registry: the gate's decision on the new checkpoint, and the aliases it moves."""

from collections.abc import Callable, Mapping
from typing import Any

import dagster as dg

from assets.checkpoint_records import checkpoint_by_id
from assets.checks import AssetEvents, explained
from assets.evaluation import Scored, evaluate
from assets.model_settings import ModelConfig
from assets.reporting import column_schema
from assets.resources import LakeResource
from assets.settings import model_config
from evaluation.gate import GateDecision, decide
from schemas.registry import REGISTRY
from winnow.core.errors import DataError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.registry import Contender, aliases, record_decision, swap


def judge_candidate(config: ModelConfig, scored: dict[str, Scored]) -> GateDecision:
    """The decision on the candidate against the champion, or the base model where there is none."""
    candidate, reference = scored["candidate"], scored.get("champion") or scored["base"]
    return decide(
        candidate.items,
        reference.items,
        candidate=candidate.checkpoint_id or "",
        reference=reference.checkpoint_id or "base",
        evaluation_ids=(candidate.evaluation_id, reference.evaluation_id),
        threshold=config.max_regression,
        seed=config.seed,
        resamples=config.resamples,
    )


def settle(
    lake: Lake, config: ModelConfig, threads: int, say: Callable[[str], None]
) -> tuple[GateDecision | None, dict[str, Any]]:
    """Decides and moves the aliases in one commit; a checkpoint that is champion already is left alone."""
    scored = evaluate(lake, config, threads, say)
    checkpoint_id = scored["candidate"].checkpoint_id or ""
    champion = aliases(lake, config.line).get("champion")
    if champion is not None and champion.checkpoint_id == checkpoint_id:
        return None, dict(aliases(lake, config.line))
    _refuse_trained_on(lake, config, scored)
    decision = judge_candidate(config, scored)
    row = checkpoint_by_id(lake, config.line, checkpoint_id)
    contender = Contender(checkpoint_id, row["release"])
    record = decision.model_dump(mode="json")
    if decision.promotes:
        # The champion that was compared with, not the one that stands now: the swap refuses another
        against = scored["champion"].checkpoint_id if "champion" in scored else None
        return decision, dict(swap(lake, config.line, against, contender, record, decided_by="gate"))
    record_decision(lake, config.line, contender, record, decided_by="gate")
    return decision, dict(aliases(lake, config.line))


def _refuse_trained_on(lake: Lake, config: ModelConfig, scored: Mapping[str, Scored]) -> None:
    """Raises DataError when a model was trained on a row that it is evaluated on: its loss would say nothing."""
    items = {item.item_id for item in scored["base"].items}
    trained: set[tuple[str, str]] = set()
    for batch in lake.scan("checkpoint_rows", [config.line], ["checkpoint_id", "row_id"]):
        names: list[Any] = batch.column("checkpoint_id").to_pylist()
        rows: list[Any] = batch.column("row_id").to_pylist()
        trained |= {(name, row) for name, row in zip(names, rows, strict=True) if row in items}
    for name, model in scored.items():
        seen = sum(checkpoint_id == model.checkpoint_id for checkpoint_id, _ in trained)
        if seen:
            raise DataError(
                f"the {name} {model.checkpoint_id} was trained on {seen} of the {len(items)} held-out rows, so "
                "comparing with it says nothing; restore the `split` that it was trained under, or start another "
                "`model: line`"
            )


@dg.asset(
    name="registry",
    deps=["evaluation", "checkpoint"],
    group_name="registry",
    kinds={"deltalake"},
    owners=["team:training"],
    check_specs=[
        dg.AssetCheckSpec(
            "gate",
            asset="registry",
            description="Interval of relative worsening against the champion wholly at or below the threshold.",
        )
    ],
)
def registry_asset(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Aliases champion and previous; they move only with a gate decision that promotes, in one commit."""

    def work() -> tuple[GateDecision | None, dict[str, Any]]:
        return settle(lake.open(), model_config(), lake.worker_count(), context.log.info)

    decision, named = yield from explained(work)
    metadata: dict[str, Any] = {name: alias.checkpoint_id for name, alias in named.items()}
    metadata["skipped"] = decision is None
    if decision is None:
        yield dg.AssetCheckResult(check_name="gate", passed=True, metadata={"skipped": True})
    else:
        told = decision.model_dump(mode="json")
        passed = decision.promotes
        yield dg.AssetCheckResult(
            check_name="gate", passed=passed, severity=dg.AssetCheckSeverity.WARN, metadata=told
        )
        metadata |= {"verdict": decision.verdict, "reason": decision.reason, "d": decision.d}
    metadata["dagster/column_schema"] = column_schema(REGISTRY)
    version = digest(sorted((name, alias.checkpoint_id) for name, alias in named.items()))
    yield dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(version))
