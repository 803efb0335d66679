"""How often the new checkpoint prefers the right answer of a held-out pair more than the one it came from."""

from collections.abc import Mapping
from dataclasses import dataclass

from assets.contenders import CANDIDATE, START, Contenders
from assets.model_settings import work_folder
from assets.prepared import Prepared
from assets.release_files import export_pairs, pair_groups
from assets.scores import ItemScore, Score
from evaluation.batch import EvaluationJob
from evaluation.outcomes import NotRun
from evaluation.preference_accuracy import CODE_VERSION
from evaluation.preference_items import PairItem, PreferenceJob, read_items, read_result
from evaluation.preferences import Share, likelihood_accuracy, preference_accuracy, preference_scores
from training.base import as_dict
from winnow.core.errors import RunError
from winnow.core.identity import digest

BENCHMARK, METRIC = "preference_accuracy", "accuracy"
TOO_FEW = (
    "pairs of two distributions at least have to be held out. Raise `preference: heldout_fraction`, or take "
    "`preference_accuracy` out of the gates file"
)


@dataclass(frozen=True)
class Preferred:
    """The accuracy with its interval, and its evaluation in the lake.

    `likelihood` is how often the chosen answer is the likelier, of each model by its part.
    """

    share: Share
    evaluation_id: str
    likelihood: Mapping[str, Share]


def preference_job(models: Contenders, threads: int) -> Prepared | NotRun:
    """The candidate, and the checkpoint that DPO went on from, on the held-out pairs of the release."""
    if models.not_aligned is not None:
        return NotRun(models.not_aligned)
    if len(pair_groups(models.lake, models.release, "heldout")) < 2:
        return NotRun(TOO_FEW)
    refs = models.refs(START, CANDIDATE)
    config = models.config
    settings = {
        "sequence_len": config.pair_tokens,
        "seed": config.seed,
        "group": "distribution",
    }
    key = digest([CODE_VERSION, models.release.content_hash, [[r.name, r.hash] for r in refs], settings])
    key = digest([key, config.heldout_pairs])
    folder = work_folder(f"evaluation/{key}")
    output = folder / "output"
    job = PreferenceJob.write(
        folder / "job.json",
        base=as_dict(models.base),
        models=refs,
        reference=START,
        pairs=folder / "pairs.parquet",
        output=output,
        threads=threads,
        **settings,
    )
    is_done = read_result(output) is not None
    if not is_done:
        pairs = folder / "pairs.parquet"
        export_pairs(models.lake, models.release, "heldout", pairs, config.heldout_pairs, config.seed)
    return Prepared(EvaluationJob(program="preference_accuracy", job=job), output, is_done)


def score_preferences(models: Contenders, prepared: Prepared) -> Preferred:
    """The candidate of a job that was run, recorded in the lake."""
    config, output = models.config, prepared.output
    result = read_result(output)
    if result is None:
        raise RunError("the evaluation ended without a result; run it again, scored pairs are not repeated")
    items, reference = read_items(output, CANDIDATE), read_items(output, START)
    share = preference_accuracy(items, reference, config.seed, config.resamples)
    candidate, start = result.models[CANDIDATE], result.models[START]
    identifier = digest([BENCHMARK, CODE_VERSION, result.benchmark_version, candidate, start])
    score = Score(
        identifier,
        candidate,
        models.checkpoint_id(CANDIDATE),
        BENCHMARK,
        digest([result.benchmark_version, start]),
        METRIC,
        share.value,
        _items(items, reference),
    )
    score.record(models.lake, config.line)
    by_part = {CANDIDATE: items, START: reference}
    likelihood = {
        name: likelihood_accuracy(own, config.seed, config.resamples) for name, own in by_part.items()
    }
    return Preferred(share, identifier, likelihood)


def _items(items: list[PairItem], reference: list[PairItem]) -> list[ItemScore]:
    scores = preference_scores(items, reference)
    ordered = sorted(items, key=lambda item: item.item_id)
    return [
        ItemScore(item.item_id, float(value), item.chosen_tokens + item.rejected_tokens, item.seconds)
        for item, value in zip(ordered, scores, strict=True)
    ]
