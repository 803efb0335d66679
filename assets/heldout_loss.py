"""The loss of the models on the held-out rows, and its interval against the model to hold up against."""

from collections.abc import Mapping
from dataclasses import dataclass

from assets.checkpoint_records import checkpoint_by_id
from assets.contenders import BASE, CANDIDATE, CHAMPION, Contenders
from assets.model_settings import work_folder
from assets.prepared import Prepared
from assets.release_files import export_rows, has_pairs
from assets.scores import ItemScore, Score
from evaluation.batch import EvaluationJob
from evaluation.heldout_loss import CODE_VERSION
from evaluation.items import HeldoutJob, HeldoutResult, Item, read_items, read_result
from evaluation.loss_comparison import compare_losses
from evaluation.statistics import Worsening
from training.base import as_dict
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.release import load_release, scan_release

BENCHMARK, METRIC = "heldout_loss", "nats_per_token"


@dataclass(frozen=True)
class Scored:
    """A model on the held-out rows: its evaluation in the lake, and its items."""

    name: str
    checkpoint_id: str | None
    evaluation_id: str
    items: tuple[Item, ...]

    @property
    def loss(self) -> float:
        """Token-weighted mean, nats a token."""
        return sum(i.nll for i in self.items) / sum(i.tokens for i in self.items)


def heldout_job(models: Contenders, threads: int) -> Prepared:
    """Base, candidate and champion on the same rows."""
    refs = models.refs(BASE, CANDIDATE, CHAMPION)
    config = models.config
    settings = {
        "sequence_len": config.heldout_tokens,
        "max_rows": config.heldout_rows,
        "seed": config.seed,
    }
    key = digest([CODE_VERSION, models.release.content_hash, [[r.name, r.hash] for r in refs], settings])
    folder = work_folder(f"evaluation/{key}")
    output = folder / "output"
    job = HeldoutJob.write(
        folder / "job.json",
        base=as_dict(models.base),
        models=refs,
        rows=folder / "rows.parquet",
        output=output,
        threads=threads,
        **settings,
    )
    is_done = read_result(output) is not None
    if not is_done:
        export_rows(models.lake, models.release, "sft_heldout", folder / "rows.parquet")
    return Prepared(EvaluationJob(program="heldout_loss", job=job), output, is_done)


def score_heldout(models: Contenders, prepared: Prepared) -> dict[str, Scored]:
    """The models of a job that was run, each recorded in the lake."""
    result = read_result(prepared.output)
    if result is None:
        raise RunError("the evaluation ended without a result; run it again, scored items are not repeated")
    items = read_items(prepared.output)
    checkpoints = {name: str(row["checkpoint_id"]) for name, row in models.checkpoints.items()}
    refuse_trained_on(models.lake, models.config.line, checkpoints, {item.item_id for item in items})
    return {name: _recorded(models, name, hash_, result, items) for name, hash_ in result.models.items()}


def _recorded(
    models: Contenders, name: str, model_hash: str, result: HeldoutResult, items: list[Item]
) -> Scored:
    identifier = digest([BENCHMARK, CODE_VERSION, result.benchmark_version, model_hash])
    own = tuple(item for item in items if item.model == name)
    scored = Scored(name, models.checkpoint_id(name), identifier, own)
    score = Score(
        identifier,
        model_hash,
        scored.checkpoint_id,
        BENCHMARK,
        result.benchmark_version,
        METRIC,
        scored.loss,
        [ItemScore(item.item_id, item.value, item.tokens, item.seconds) for item in own],
    )
    score.record(models.lake, models.config.line)
    return scored


def compare_heldout(models: Contenders, scored: dict[str, Scored]) -> Worsening:
    """The candidate against the champion, or the base where there is none, by paired bootstrap."""
    config = models.config
    candidate, reference = scored[CANDIDATE], scored[models.against]
    return compare_losses(candidate.items, reference.items, config.seed, config.resamples)


def refuse_trained_on(lake: Lake, line: str, checkpoints: Mapping[str, str], items: set[str]) -> None:
    """Raises DataError when a checkpoint, or one it went on from, was trained on a row that it is evaluated on.

    Its loss would say nothing. `checkpoints` are ids by the part that they play.
    """
    for name, checkpoint in checkpoints.items():
        for checkpoint_id in lineage(lake, line, checkpoint):
            seen = items & trained_on(lake, line, checkpoint_id)
            if seen:
                raise DataError(
                    f"the {name} {checkpoint_id} was trained on {len(seen)} of the {len(items)} held-out rows, so "
                    "comparing with it says nothing; restore the `split` that it was trained under, or start "
                    "another `model: line`"
                )


def lineage(lake: Lake, line: str, checkpoint_id: str | None) -> list[str]:
    """A checkpoint and those that its adapter went on from, the newest first."""
    parents = {
        row["checkpoint_id"]: row["parent_checkpoint_id"]
        for batch in lake.scan("checkpoints", [line], ["checkpoint_id", "parent_checkpoint_id"])
        for row in batch.to_pylist()
    }
    found: list[str] = []
    while checkpoint_id is not None and checkpoint_id not in found:
        found.append(checkpoint_id)
        checkpoint_id = parents.get(checkpoint_id)
    return found


def trained_on(lake: Lake, line: str, checkpoint_id: str) -> set[str]:
    """Rows that a checkpoint was trained on; for a pair of its release, the row that it was made of."""
    rows = {
        row["row_id"]
        for batch in lake.scan("checkpoint_rows", [line], ["checkpoint_id", "row_id"])
        for row in batch.to_pylist()
        if row["checkpoint_id"] == checkpoint_id
    }
    release = load_release(lake, checkpoint_by_id(lake, line, checkpoint_id)["release"])
    if not has_pairs(release):
        return rows
    for batch in scan_release(lake, release, "preference_pairs", ["row_id", "parent_row_id"]):
        rows |= {row["parent_row_id"] for row in batch.to_pylist() if row["row_id"] in rows}
    return rows
