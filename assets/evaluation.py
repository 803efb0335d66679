"""evaluation: base, champion and new checkpoint on the same held-out rows, item by item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
import pyarrow as pa

from assets.checkpoint import export_rows
from assets.checkpoint_records import adapter_folder, adapter_hash, checkpoint_by_id, known_checkpoint
from assets.checks import AssetEvents, explained
from assets.model_settings import ModelConfig, work_folder
from assets.release import build_training_release
from assets.resources import LakeResource
from assets.settings import model_config
from evaluation.heldout_loss import CODE_VERSION
from evaluation.items import HeldoutResult, Item, ModelRef, read_items, read_result, write_job
from schemas.evaluations import EVALUATION_ITEMS, EVALUATIONS
from training.base import as_dict, resolve_base
from training.recipe import load_recipe
from winnow.core.errors import DataError, RunError
from winnow.core.identity import digest
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.records import replace_rows
from winnow.lake.registry import aliases
from winnow.models.child import run_child

BENCHMARK = "heldout_loss"
METRIC = "nats_per_token"


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


def evaluate(lake: Lake, config: ModelConfig, threads: int, say: Callable[[str], None]) -> dict[str, Scored]:
    """Scores `base`, `candidate` and, where another checkpoint is champion, `champion`; from disk where done."""
    recipe = load_recipe(config.recipe)
    base = resolve_base(recipe.base)
    release = build_training_release(lake)
    candidate = known_checkpoint(lake, config.line, release, recipe, base)
    if candidate is None:
        raise DataError(
            "no checkpoint of the present release and recipe: materialize asset `checkpoint` first"
        )
    models = {"base": None, "candidate": candidate}
    champion = aliases(lake, config.line).get("champion")
    if champion is not None and champion.checkpoint_id != candidate["checkpoint_id"]:
        models["champion"] = checkpoint_by_id(lake, config.line, champion.checkpoint_id)
    refs = [
        ModelRef(name="base", hash=base.weights_hash),
        *(
            ModelRef(name=name, hash=adapter_hash(row), adapter=adapter_folder(lake, row))
            for name, row in models.items()
            if row is not None
        ),
    ]
    result, items = _run(lake, config, release, as_dict(base), refs, threads, say)
    scored = {}
    for ref in refs:
        row = models[ref.name]
        own = tuple(item for item in items if item.model == ref.name)
        identifier = digest([BENCHMARK, CODE_VERSION, result.benchmark_version, ref.hash])
        scored[ref.name] = Scored(ref.name, row["checkpoint_id"] if row else None, identifier, own)
        _record(lake, config.line, scored[ref.name], ref.hash, result.benchmark_version)
    return scored


def _run(
    lake: Lake,
    config: ModelConfig,
    release: Release,
    base: dict[str, str],
    refs: Sequence[ModelRef],
    threads: int,
    say: Callable[[str], None],
) -> tuple[HeldoutResult, list[Item]]:
    settings = {
        "sequence_len": config.heldout_tokens,
        "max_rows": config.heldout_rows,
        "seed": config.seed,
    }
    key = digest([CODE_VERSION, release.content_hash, [[r.name, r.hash] for r in refs], settings])
    folder = work_folder(f"evaluation/{key}")
    export_rows(lake, release, "sft_heldout", folder / "rows.parquet")
    output = folder / "output"
    job = write_job(
        folder / "job.json",
        base=base,
        models=refs,
        rows=folder / "rows.parquet",
        output=output,
        threads=threads,
        **settings,
    )
    run_child(
        "evaluation.heldout_loss",
        job,
        lambda event: say(str(event["message"])) if "message" in event else None,
    )
    result = read_result(output)
    if result is None:
        raise RunError("the evaluation ended without a result; run it again, scored items are not repeated")
    return result, read_items(output)


def _record(lake: Lake, line: str, scored: Scored, model_hash: str, version: str) -> None:
    items = [
        {
            "evaluation_id": scored.evaluation_id,
            "model": line,
            "item_id": item.item_id,
            "value": item.value,
            "tokens": item.tokens,
            "seconds": item.seconds,
        }
        for item in scored.items
    ]
    summary = {
        "evaluation_id": scored.evaluation_id,
        "model": line,
        "model_hash": model_hash,
        "checkpoint_id": scored.checkpoint_id,
        "benchmark": BENCHMARK,
        "benchmark_version": version,
        "metric": METRIC,
        "value": scored.loss,
        "n": len(scored.items),
        "seconds": sum(item.seconds for item in scored.items),
    }
    replace_rows(lake, EVALUATION_ITEMS, line, pa.Table.from_pylist(items, EVALUATION_ITEMS.arrow_schema()))
    replace_rows(lake, EVALUATIONS, line, pa.Table.from_pylist([summary], EVALUATIONS.arrow_schema()))


@dg.asset(
    name="evaluation",
    deps=["checkpoint", "sft_heldout"],
    group_name="evaluations",
    kinds={"pytorch"},
    owners=["team:training"],
    code_version=CODE_VERSION,
)
def evaluation_asset(context: dg.AssetExecutionContext, lake: LakeResource) -> AssetEvents:
    """Loss of the base, the champion and the new checkpoint on the same held-out rows."""

    def work() -> dict[str, Scored]:
        return evaluate(lake.open(), model_config(), lake.worker_count(), context.log.info)

    scored = yield from explained(work)
    metadata: dict[str, Any] = {f"loss_{name}": model.loss for name, model in scored.items()}
    metadata["items"] = len(scored["base"].items)
    identifiers = sorted(model.evaluation_id for model in scored.values())
    yield dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(digest(identifiers)))
