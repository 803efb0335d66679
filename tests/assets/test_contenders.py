"""Sources without a function to pair stop no evaluation: it says what is missing, and goes on without."""

from pathlib import Path

from paired_lake import ALIGNED, Paired, paired
from trained_lake import FIRST

from assets.contenders import NO_PAIRS, Contenders, why_not_aligned
from assets.model_settings import ModelConfig
from assets.preference_score import TOO_FEW, preference_job
from evaluation.outcomes import NotRun
from training.base import BaseModel
from winnow.lake.release import build_release
from winnow.sandbox import unavailable

TABLES = ["sft_train", "preference_pairs"]


def without_pairs(made: Paired) -> None:
    made.lake.empty_partition("preference_pairs", made.pair["source"])


def test_what_keeps_a_checkpoint_from_going_on_by_pairs_is_told(tmp_path: Path) -> None:
    made = paired(tmp_path)
    assert why_not_aligned(made.lake, made.release) is None
    assert why_not_aligned(made.lake, build_release(made.lake, tables=TABLES[:1])) == unavailable()
    without_pairs(made)
    assert why_not_aligned(made.lake, build_release(made.lake, tables=TABLES)) == NO_PAIRS
    assert why_not_aligned(made.lake, made.release) is None, "the release counts, not the lake"


def test_pairs_of_fewer_than_two_distributions_held_out_are_not_measured(tmp_path: Path) -> None:
    made = paired(tmp_path)
    base = BaseModel(spec="tiny", path="", weights_hash="b", template="", template_hash="", tokenizer_hash="")
    parts = {"start": {"checkpoint_id": FIRST}, "candidate": {"checkpoint_id": ALIGNED}}
    models = Contenders(made.lake, ModelConfig(), made.release, base, parts)
    assert preference_job(models, 1) == NotRun(TOO_FEW)
