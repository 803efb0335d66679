"""The gate compares only models that did not see the rows they are compared on."""

from pathlib import Path

import pyarrow as pa
import pytest
from paired_lake import paired
from small_lake import conversation, grow, lake_in, sample_rows
from trained_lake import FIRST, SECOND, add_checkpoint, trained

from assets.contamination import trained_items
from assets.contenders import Contenders
from assets.evaluation import Evaluated
from assets.heldout_loss import lineage, refuse_trained_on
from assets.model_settings import ModelConfig
from assets.registry import judge_candidate
from evaluation.gates import load_gates
from evaluation.humaneval.problems import load_problems
from evaluation.outcomes import Compared, NotRun, Outcome
from schemas.checkpoints import CHECKPOINT_ROWS, CHECKPOINTS
from training.base import BaseModel
from winnow.core.errors import DataError
from winnow.lake.lake import Lake
from winnow.lake.manifest import Release
from winnow.lake.records import records, replace_rows
from winnow.lake.release import build_release, scan_release

LINE = "sft"
ALIGNED = "d" * 32
FRESH = {f"{n:032x}" for n in range(20)}


def gone_on_from(lake: Lake, parent: str, rows: list[dict[str, object]]) -> None:
    """Records a checkpoint whose adapter went on from another."""
    (made,) = [row for row in records(lake, CHECKPOINTS, LINE) if row["checkpoint_id"] == parent]
    row = {**made, "checkpoint_id": ALIGNED, "parent_checkpoint_id": parent}
    replace_rows(lake, CHECKPOINT_ROWS, LINE, pa.Table.from_pylist(rows, CHECKPOINT_ROWS.arrow_schema()))
    replace_rows(lake, CHECKPOINTS, LINE, pa.Table.from_pylist([row], CHECKPOINTS.arrow_schema()))


def seen_row(lake: Lake, release: Release) -> str:
    return str(next(iter(scan_release(lake, release, "sft_train")))["row_id"][0].as_py())


@pytest.mark.parametrize("part", ["candidate", "champion"])
def test_a_model_that_saw_the_held_out_rows_is_not_compared(tmp_path: Path, part: str) -> None:
    lake, release = trained(tmp_path)
    parts = {"candidate": FIRST, "champion": SECOND}
    refuse_trained_on(lake, LINE, parts, FRESH)
    with pytest.raises(DataError, match=f"{part} .* was trained on 1 of the 21 held-out rows"):
        refuse_trained_on(lake, LINE, {part: parts[part]}, FRESH | {seen_row(lake, release)})


def test_what_an_ancestor_saw_counts(tmp_path: Path) -> None:
    lake, release = trained(tmp_path)
    gone_on_from(lake, FIRST, [])
    assert lineage(lake, LINE, ALIGNED) == [ALIGNED, FIRST]
    with pytest.raises(DataError, match=f"candidate {FIRST} was trained on 1 of"):
        refuse_trained_on(lake, LINE, {"candidate": ALIGNED}, FRESH | {seen_row(lake, release)})


def test_the_row_of_a_pair_counts_though_the_lake_holds_the_pair_no_more(tmp_path: Path) -> None:
    made = paired(tmp_path)
    for _ in range(2):
        with pytest.raises(DataError, match=f"candidate {ALIGNED} was trained on 1 of the 1 held-out rows"):
            refuse_trained_on(made.lake, LINE, {"candidate": ALIGNED}, {made.parent})
        made.lake.empty_partition("preference_pairs", made.pair["source"])
    assert not [row for b in made.lake.scan("preference_pairs") for row in b.to_pylist()]


def evaluated(lake: Lake, release: Release, outcomes: dict[str, Outcome]) -> Evaluated:
    models = Contenders(
        lake,
        ModelConfig(),
        release,
        BaseModel(spec="tiny", path="", weights_hash="b", template="", template_hash="", tokenizer_hash=""),
        {"candidate": {"checkpoint_id": FIRST}, "champion": {"checkpoint_id": SECOND}},
    )
    return Evaluated(models, load_gates("default"), outcomes)


def loss(low: float, high: float) -> Compared:
    middle = (low + high) / 2
    return Compared("nats_per_token", "lower", "relative", 2.0, 2.0, middle, low, high, 20, 0.95)


PREFERS = Compared("accuracy", "higher", "absolute", 0.8, 0.5, 0.3, 0.2, 0.4, 20, 0.95)
PASSES = Compared("pass@1", "higher", "absolute", 0.1, 0.4, -0.3, -0.4, -0.2, 16, 0.95)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ({"heldout_loss": loss(-0.1, 0.0), "preference_accuracy": PREFERS, "humaneval": PASSES}, "promote"),
        ({"heldout_loss": loss(0.1, 0.2), "preference_accuracy": PREFERS, "humaneval": PASSES}, "reject"),
        (
            {"heldout_loss": loss(-0.1, 0.0), "preference_accuracy": PREFERS, "humaneval": NotRun("apt")},
            "not promotable",
        ),
        ({"heldout_loss": loss(-0.1, 0.0), "preference_accuracy": NotRun("apt")}, "not promotable"),
    ],
)
def test_required_gates_decide_and_what_did_not_run_blocks(
    tmp_path: Path, outcomes: dict[str, Outcome], verdict: str
) -> None:
    lake, release = trained(tmp_path)
    decision = judge_candidate(evaluated(lake, release, outcomes))
    assert (decision.verdict, decision.candidate, decision.reference) == (verdict, FIRST, SECOND)


def test_items_of_a_benchmark_are_found_in_what_was_trained(tmp_path: Path) -> None:
    """A row with the prompt and the solution of a problem counts, through the checkpoint that went on from it."""
    lake, release = trained(tmp_path / "clean")
    assert trained_items(evaluated(lake, release, {}).models, "candidate", "humaneval") == 0

    problem = load_problems()[0]
    leaked = conversation("alpha", "leaked", problem.prompt + problem.canonical_solution)
    lake = lake_in(tmp_path / "leaked")
    grow(lake, {"alpha": [leaked, *sample_rows("alpha", 1)]})
    release = build_release(lake)
    rows = [row for batch in scan_release(lake, release, "sft_train") for row in batch.to_pylist()]
    add_checkpoint(lake, release, FIRST, rows)
    gone_on_from(lake, FIRST, [])
    models = evaluated(lake, release, {}).models
    assert trained_items(models, "candidate", "humaneval") == 1
    models.checkpoints["candidate"]["checkpoint_id"] = ALIGNED
    assert trained_items(models, "candidate", "humaneval") == 1
