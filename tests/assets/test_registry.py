"""The gate compares only models that did not see the rows they are compared on."""

from pathlib import Path

import pytest
from trained_lake import FIRST, SECOND, trained

from assets.evaluation import Scored
from assets.model_settings import ModelConfig
from assets.registry import _refuse_trained_on, judge_candidate
from evaluation.items import Item
from winnow.core.errors import DataError
from winnow.lake.release import scan_release


def scored(rows: list[str], loss: float, name: str, checkpoint: str | None) -> Scored:
    items = tuple(Item(name, row, loss * 10 + n % 3, 10, 0.1) for n, row in enumerate(rows))
    return Scored(name, checkpoint, f"e-{name}", items)


def test_a_champion_that_saw_the_held_out_rows_is_no_reference(tmp_path: Path) -> None:
    lake, release = trained(tmp_path)
    seen = [r for b in scan_release(lake, release, "sft_train") for r in b.column("row_id").to_pylist()]
    fresh = [f"{n:032x}" for n in range(20)]
    models = {
        "base": scored(fresh, 2.0, "base", None),
        "candidate": scored(fresh, 1.9, "candidate", FIRST),
        "champion": scored(fresh, 2.0, "champion", SECOND),
    }
    _refuse_trained_on(lake, ModelConfig(), models)
    decision = judge_candidate(ModelConfig(), models)
    assert (decision.verdict, decision.reference) == ("promote", SECOND)

    leaked = {name: scored([*fresh, seen[0]], 2.0, name, m.checkpoint_id) for name, m in models.items()}
    with pytest.raises(DataError, match="was trained on 1 of the 21 held-out rows"):
        _refuse_trained_on(lake, ModelConfig(), leaked)
