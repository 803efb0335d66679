"""evaluation: the new checkpoint, the base and the champion on every benchmark that a gate asks for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from assets.checks import AssetEvents, explained
from assets.contamination import trained_items
from assets.contenders import BASE, CANDIDATE, Contenders, contenders
from assets.detectors import keyed_settings
from assets.heldout_loss import BENCHMARK as LOSS
from assets.heldout_loss import Scored, compare_heldout, heldout_job, score_heldout
from assets.humaneval_score import humaneval_job, score_humaneval
from assets.model_settings import ModelConfig, work_folder
from assets.preference_score import BENCHMARK as PREFERENCE
from assets.preference_score import Preferred, preference_job, score_preferences
from assets.prepared import Prepared
from assets.resources import LakeResource
from assets.settings import model_config
from evaluation.batch import run_batch
from evaluation.gates import GatesConfig, load_gates, of_accuracy, of_loss, of_passes
from evaluation.heldout_loss import CODE_VERSION
from evaluation.humaneval.score import BENCHMARK as HUMANEVAL
from evaluation.humaneval.score import ModelScore, compare_scores
from evaluation.leaks import leaks_in
from evaluation.outcomes import Contaminated, NotRun, Outcome
from winnow.core.identity import digest
from winnow.curation.sanitize.leaks import leak_check
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
    """Runs the benchmarks of the gates file in one child; what is scored already comes from disk."""
    gates = load_gates(config.gates)
    found = Evaluated(contenders(lake, config), gates)
    jobs = _jobs(found, threads)
    left = [job.job for job in jobs.values() if not job.is_done]
    if left:
        path = work_folder("evaluation") / f"{digest([str(job.job) for job in left])}.json"
        run_batch(path, left, lambda e: say(str(e["message"])) if "message" in e else None)
    if LOSS in jobs:
        _heldout(found, score_heldout(found.models, jobs[LOSS]))
    if PREFERENCE in jobs:
        _preferences(found, score_preferences(found.models, jobs[PREFERENCE]))
    if HUMANEVAL in jobs:
        _humaneval(found, score_humaneval(found.models, jobs[HUMANEVAL], threads))
    found.notes |= {
        name: f"not run: {outcome.fix}"
        for name, outcome in found.outcomes.items()
        if isinstance(outcome, NotRun)
    }
    return found


def _jobs(found: Evaluated, threads: int) -> dict[str, Prepared]:
    """The evaluations that can be run, by benchmark; of the others the outcome says why not."""
    models, jobs = found.models, {}
    if found.gates.measures(LOSS):
        jobs[LOSS] = heldout_job(models, threads)
    others: dict[str, Callable[[], Prepared | NotRun | Contaminated]] = {
        PREFERENCE: lambda: preference_job(models, threads),
        HUMANEVAL: lambda: _contaminated(found) or humaneval_job(models, found.gates.humaneval, threads),
    }
    for benchmark, prepare in others.items():
        if found.gates.measures(benchmark):
            prepared = prepare()
            if isinstance(prepared, Prepared):
                jobs[benchmark] = prepared
            else:
                found.outcomes[benchmark] = prepared
    return jobs


def _contaminated(found: Evaluated) -> Contaminated | None:
    for name in (CANDIDATE, found.models.against):
        if items := trained_items(found.models, name, HUMANEVAL):
            found.notes["humaneval"] = f"contaminated ({items} items): {name}"
            return Contaminated(items)
    return None


def _heldout(found: Evaluated, scored: dict[str, Scored]) -> None:
    found.outcomes[LOSS] = of_loss(compare_heldout(found.models, scored))
    found.values |= {f"loss_{name}": model.loss for name, model in scored.items()}
    found.values["heldout_rows"] = len(scored[BASE].items)
    found.evaluation_ids += [scored[CANDIDATE].evaluation_id, scored[found.models.against].evaluation_id]


def _preferences(found: Evaluated, preferred: Preferred) -> None:
    found.outcomes[PREFERENCE] = of_accuracy(preferred.share)
    found.evaluation_ids.append(preferred.evaluation_id)
    found.values["preference_accuracy"] = preferred.share.value
    found.notes |= {
        f"likelihood_accuracy_{name}": share.told() for name, share in preferred.likelihood.items()
    }


def _humaneval(found: Evaluated, scores: dict[str, ModelScore] | NotRun) -> None:
    if isinstance(scores, NotRun):
        found.outcomes[HUMANEVAL] = scores
        return
    passes = compare_scores(scores[CANDIDATE], scores[found.models.against])
    found.outcomes[HUMANEVAL] = compared = of_passes(passes)
    found.notes["humaneval_flipped"] = compared.note
    found.values |= {f"humaneval_{name}": model.value for name, model in scores.items()}
    answers = [graded.generation.text for graded in scores[CANDIDATE].graded]
    found.notes["humaneval_leaks"] = str(leaks_in(answers, leak_check(keyed_settings(found.models.lake))))
    found.notes |= {f"humaneval_{name}_verdicts": model.told() for name, model in scores.items()}
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
