"""evaluation: the new checkpoint, the base and the champion on every benchmark that a gate asks for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from assets.checks import AssetEvents, explained
from assets.contamination import trained_items
from assets.contenders import BASE, CANDIDATE, Contenders, contenders
from assets.heldout_loss import BENCHMARK as LOSS
from assets.heldout_loss import Scored, compare_losses, score_heldout
from assets.humaneval_score import score_humaneval
from assets.model_settings import ModelConfig
from assets.preference_score import BENCHMARK as PREFERENCE
from assets.preference_score import score_preferences
from assets.resources import LakeResource
from assets.settings import model_config
from evaluation.gates import GatesConfig, load_gates, of_accuracy, of_loss, of_passes
from evaluation.heldout_loss import CODE_VERSION
from evaluation.humaneval.score import BENCHMARK as HUMANEVAL
from evaluation.humaneval.score import compare_scores
from evaluation.outcomes import Contaminated, NotRun, Outcome
from winnow.core.identity import digest
from winnow.lake.lake import Lake


@dataclass
class Evaluated:
    """What every benchmark found of the models, in the form that gates judge."""

    models: Contenders
    gates: GatesConfig
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    evaluation_ids: list[str] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    """Scores by name, e.g. `loss_base`, for whoever looks at the run."""
    notes: dict[str, str] = field(default_factory=dict)


def evaluate(lake: Lake, config: ModelConfig, threads: int, say: Callable[[str], None]) -> Evaluated:
    """Runs the benchmarks of the gates file; what is scored already comes from disk."""
    gates = load_gates(config.gates)
    found = Evaluated(contenders(lake, config), gates)
    if gates.measures(LOSS):
        _heldout(found, score_heldout(found.models, threads, say))
    if gates.measures(PREFERENCE):
        preferred = score_preferences(found.models, threads, say)
        if isinstance(preferred, NotRun):
            found.outcomes[PREFERENCE] = preferred
        else:
            found.outcomes[PREFERENCE] = of_accuracy(preferred.share)
            found.evaluation_ids.append(preferred.evaluation_id)
            found.values["preference_accuracy"] = preferred.share.value
    if gates.measures(HUMANEVAL):
        _humaneval(found, threads, say)
    found.notes |= {
        name: f"not run: {outcome.fix}"
        for name, outcome in found.outcomes.items()
        if isinstance(outcome, NotRun)
    }
    return found


def _heldout(found: Evaluated, scored: dict[str, Scored]) -> None:
    threshold = next(gate.threshold for gate in found.gates.gates if gate.benchmark == LOSS)
    found.outcomes[LOSS] = of_loss(compare_losses(found.models, scored, threshold))
    found.values |= {f"loss_{name}": model.loss for name, model in scored.items()}
    found.values["heldout_rows"] = len(scored[BASE].items)
    found.evaluation_ids += [scored[CANDIDATE].evaluation_id, scored[found.models.against].evaluation_id]


def _humaneval(found: Evaluated, threads: int, say: Callable[[str], None]) -> None:
    for name in (CANDIDATE, found.models.against):
        if items := trained_items(found.models, name, HUMANEVAL):
            found.outcomes[HUMANEVAL] = Contaminated(items)
            found.notes["humaneval"] = f"contaminated ({items} items): {name}"
            return
    scores = score_humaneval(found.models, found.gates.humaneval, threads, say)
    if isinstance(scores, NotRun):
        found.outcomes[HUMANEVAL] = scores
        return
    passes = compare_scores(scores[CANDIDATE], scores[found.models.against])
    found.outcomes[HUMANEVAL] = compared = of_passes(passes)
    found.notes["humaneval_flipped"] = compared.note
    found.values |= {f"humaneval_{name}": model.value for name, model in scores.items()}
    found.evaluation_ids += [scores[CANDIDATE].evaluation_id, scores[found.models.against].evaluation_id]


@dg.asset(
    name="evaluation",
    deps=["checkpoint", "dpo_checkpoint", "sft_heldout", "preference_pairs"],
    group_name="evaluations",
    kinds={"pytorch"},
    owners=["team:training"],
    code_version=CODE_VERSION,
)
def evaluation_asset(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Loss, preference accuracy and HumanEval of the new checkpoint, beside the base and the champion."""

    def work() -> Evaluated:
        return evaluate(lake.open(), model_config(), lake.worker_count(), context.log.info)

    found = yield from explained(work)
    metadata: dict[str, Any] = {
        **found.values,
        **found.notes,
        "items": int(found.values.get("heldout_rows", 0)),
    }
    yield dg.MaterializeResult(
        metadata=metadata, data_version=dg.DataVersion(digest(sorted(found.evaluation_ids)))
    )
