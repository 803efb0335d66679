"""registry: the gate's decision on the new checkpoint, and the aliases it moves."""

from collections.abc import Callable
from typing import Any

import dagster as dg

from assets.checks import AssetEvents, explained
from assets.contenders import BASE, CANDIDATE, CHAMPION
from assets.evaluation import Evaluated, evaluate
from assets.model_settings import ModelConfig
from assets.reporting import column_schema
from assets.resources import LakeResource
from assets.settings import model_config
from evaluation.gates import PromotionDecision, decide_all
from schemas.registry import REGISTRY
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.registry import Contender, aliases, record_decision, swap


def judge_candidate(found: Evaluated) -> PromotionDecision:
    """What the gates say of the candidate, against the champion or the base model where there is none."""
    models = found.models
    return decide_all(
        found.gates,
        found.outcomes,
        candidate=models.checkpoint_id(CANDIDATE) or "",
        reference=models.checkpoint_id(models.against) or BASE,
        evaluation_ids=found.evaluation_ids,
    )


def settle(
    lake: Lake, config: ModelConfig, threads: int, say: Callable[[str], None]
) -> tuple[PromotionDecision | None, dict[str, Any]]:
    """Decides and moves the aliases in one commit; a checkpoint that is champion already is left alone."""
    found = evaluate(lake, config, threads, say)
    candidate = found.models.candidate
    champion = aliases(lake, config.line).get("champion")
    if champion is not None and champion.checkpoint_id == candidate["checkpoint_id"]:
        return None, dict(aliases(lake, config.line))
    decision = judge_candidate(found)
    contender = Contender(candidate["checkpoint_id"], candidate["release"])
    record = decision.record()
    if decision.promotes:
        # The champion that was compared with, not the one that stands now: the swap refuses another
        against = found.models.checkpoint_id(CHAMPION) if CHAMPION in found.models.checkpoints else None
        return decision, dict(swap(lake, config.line, against, contender, record, decided_by="gate"))
    record_decision(lake, config.line, contender, record, decided_by="gate")
    return decision, dict(aliases(lake, config.line))


@dg.asset(
    name="registry",
    deps=["evaluation", "checkpoint", "dpo_checkpoint"],
    group_name="registry",
    kinds={"deltalake"},
    owners=["team:training"],
    check_specs=[
        dg.AssetCheckSpec(
            "gate",
            asset="registry",
            description="Every required gate of the gates file promotes, and none was left unrun.",
        )
    ],
)
def registry_asset(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Aliases champion and previous; they move only with a gate decision that promotes, in one commit."""

    def work() -> tuple[PromotionDecision | None, dict[str, Any]]:
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
        metadata |= {"verdict": decision.verdict, "reason": decision.reason}
        metadata |= {f"gate_{gate.benchmark}": f"{gate.verdict}: {gate.reason}" for gate in decision.gates}
    metadata["dagster/column_schema"] = column_schema(REGISTRY)
    version = digest(sorted((name, alias.checkpoint_id) for name, alias in named.items()))
    yield dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(version))
