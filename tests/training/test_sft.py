import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lessons import lessons
from training_runs import TOLERANCE, assert_same_run

from training.job import SftJob, SftResult, read_result
from training.sft import train
from winnow.core.errors import ConfigError
from winnow.models.child import Events

Make = Callable[..., Path]


def in_process(job: Path, events: Events) -> SftResult:
    return train(json.loads(job.read_text()), events)


def test_training_lowers_the_loss_of_what_it_saw(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    result = in_process(make_job("run", lessons(8), max_steps=12), quiet)
    assert result.probe.loss < result.probe.base_loss - 0.05
    assert read_result(tmp_path / "run") == result


def test_a_fresh_adapter_scores_the_loss_of_its_base(make_job: Make, quiet: Events) -> None:
    """The first loss is that of the base: nothing has been learned before the first step."""
    from winnow.models.chat import ChatEncoder
    from winnow.models.local import assistant_nll, load_causal_lm

    job = make_job("run", lessons(4), max_steps=2, batch_size=1)
    result = in_process(job, quiet)
    base = Path(json.loads(job.read_text())["base"]["path"])
    first = next(r for r in lessons(4) if r["row_id"] == result.steps[0].row_ids[0])
    encoder = ChatEncoder.from_files(base / "tokenizer.json", base / "chat_template.jinja")
    [(nll, tokens)] = assistant_nll(load_causal_lm(base), [encoder.encode(first["messages"])])
    assert tokens == result.steps[0].trained_tokens
    assert result.steps[0].loss == pytest.approx(nll / tokens, abs=TOLERANCE)


def test_eight_at_once_equal_eight_one_after_another(make_job: Make, quiet: Events) -> None:
    """Rows of unlike lengths: a mean of means would weigh them differently."""
    rows = lessons(24)
    plain = {"max_steps": 3, "scheduler": "constant", "warmup_steps": 0}
    together = in_process(make_job("a", rows, batch_size=8, gradient_accumulation=1, **plain), quiet)
    apart = in_process(make_job("b", rows, batch_size=1, gradient_accumulation=8, **plain), quiet)
    assert [s.loss for s in together.steps] == pytest.approx([s.loss for s in apart.steps], abs=TOLERANCE)
    assert together.probe.loss == pytest.approx(apart.probe.loss, abs=TOLERANCE)


def test_a_run_killed_after_its_last_step_is_finished(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    job = make_job("run", lessons(8), max_steps=4, save_every=4)
    kept = tmp_path / "kept"
    output = tmp_path / "run"

    class Died(Exception):
        pass

    def die(*args: Any, **kwargs: Any) -> None:
        shutil.copytree(output / "checkpoint-4", kept)
        raise Died

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.sft.write_adapter", die)
        with pytest.raises(Died):
            in_process(job, quiet)
    resumed = in_process(job, quiet)
    assert len(resumed.steps) == 4
    shutil.rmtree(output)
    assert_same_run(in_process(job, quiet), resumed)


def test_a_job_is_read_with_all_its_faults(loaded: Callable[..., SftJob], quiet: Events) -> None:
    job = loaded("run", lessons(4)).model_dump(mode="json")
    del job["base"]
    job["recipe"]["max_steps"] = 0
    with pytest.raises(ConfigError, match=r"(?s)2 to fix.*max_steps.*base"):
        train(job, quiet)
