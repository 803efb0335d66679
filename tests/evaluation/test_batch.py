import json
from pathlib import Path

import pytest
from lessons import lessons, write_rows

from evaluation.batch import EvaluationJob, run_batch
from evaluation.heldout_loss import evaluate
from evaluation.items import HeldoutJob, read_items
from evaluation.model_job import ModelRef
from training.base import BaseModel, as_dict
from winnow.core.errors import RunError
from winnow.models.child import Events


def written(root: Path, name: str, base: BaseModel) -> Path:
    return HeldoutJob.write(
        root / f"{name}.json",
        base=as_dict(base),
        models=[ModelRef(name="base", hash=base.weights_hash)],
        rows=write_rows(root / "rows.jsonl", lessons(6)),
        output=root / name,
        threads=1,
    )


def test_a_job_of_a_batch_is_done_as_its_own_program_does_it(
    tmp_path: Path, tiny_base: BaseModel, quiet: Events
) -> None:
    alone, together = written(tmp_path, "alone", tiny_base), written(tmp_path, "together", tiny_base)
    evaluate(json.loads(alone.read_text()), quiet)
    said: list[str] = []
    job = EvaluationJob(program="heldout_loss", job=together)
    run_batch(tmp_path / "batch.json", [job, job], lambda event: said.append(event["event"]))
    values = [{i.item_id: i.nll for i in read_items(tmp_path / name)} for name in ("alone", "together")]
    assert values[0] == values[1]
    assert said.count("complete") == 2
    assert said.count("batch") > 0


def test_a_faulty_job_ends_the_batch_with_its_own_words(tmp_path: Path) -> None:
    broken = tmp_path / "job.json"
    broken.write_text("{}")
    with pytest.raises(RunError, match="evaluation job"):
        run_batch(tmp_path / "batch.json", [EvaluationJob(program="heldout_loss", job=broken)])
