import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lessons import lessons, row, said, write_rows

from evaluation import heldout_loss
from evaluation.heldout_loss import evaluate
from evaluation.items import HeldoutJob, read_items, read_result
from evaluation.model_job import ModelRef
from training.base import BaseModel, as_dict
from winnow.core.errors import ConfigError, DataError, RunError
from winnow.models.chat import ChatEncoder
from winnow.models.child import OFFLINE, Events
from winnow.models.local import assistant_nll, load_adapter, load_causal_lm

ROOT = Path(__file__).parents[2]
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def make_job(tmp_path: Path, tiny_base: BaseModel, adapter: Path) -> Make:
    """A decoded job over base and adapter; its file is `<name>.job.json`."""

    def make(name: str, rows: list[dict[str, Any]], **settings: Any) -> dict[str, Any]:
        models = [
            ModelRef(name="base", hash=tiny_base.weights_hash),
            ModelRef(name="candidate", hash="a1", adapter=adapter),
        ]
        file = HeldoutJob.write(
            tmp_path / f"{name}.job.json",
            base=as_dict(tiny_base),
            models=models,
            rows=write_rows(tmp_path / f"{name}.jsonl", rows),
            output=tmp_path / name,
            threads=1,
            **settings,
        )
        job: dict[str, Any] = json.loads(file.read_text())
        return job

    return make


def losses(output: Path, model: str) -> list[float]:
    return [i.nll for i in read_items(output, model)]


def test_every_row_is_scored_as_it_would_be_alone(
    make_job: Make, quiet: Events, tiny_base: BaseModel, adapter: Path, tmp_path: Path
) -> None:
    rows = lessons(12)
    result = evaluate(make_job("run", rows), quiet)
    assert result == read_result(tmp_path / "run")
    encoder = ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))
    messages = {r["row_id"]: r["messages"] for r in rows}
    for name in ("base", "candidate"):
        model = load_causal_lm(Path(tiny_base.path))
        model = load_adapter(model, adapter) if name == "candidate" else model
        found = read_items(tmp_path / "run", name)
        assert {i.item_id for i in found} == set(messages)
        for item in found:
            [(nll, tokens)] = assistant_nll(model, [encoder.encode(messages[item.item_id])])
            assert item.nll == pytest.approx(nll, abs=1e-3)
            assert item.tokens == tokens
            assert item.value == pytest.approx(nll / tokens, abs=1e-4)


def test_the_loss_is_that_of_the_labels_alone(tiny_base: BaseModel) -> None:
    """The definition, written plainly: sum of -log softmax at each token the assistant wrote."""
    import torch

    encoder = ChatEncoder.from_files(Path(tiny_base.path) / "tokenizer.json", Path(tiny_base.template))
    model = load_causal_lm(Path(tiny_base.path))
    one = encoder.encode(
        [said("user", "a"), said("assistant", "bc"), said("user", "d"), said("assistant", "e")]
    )
    with torch.inference_mode():
        logs = model(torch.tensor([one.ids])).logits.double().log_softmax(-1)[0]
    expected = -sum(float(logs[n - 1, one.ids[n]]) for n in range(1, len(one.ids)) if one.trained[n])
    assert assistant_nll(model, [one]) == [(pytest.approx(expected, abs=1e-4), 5)]


def test_batching_and_the_order_of_the_file_change_nothing_but_rounding(
    make_job: Make, quiet: Events, tmp_path: Path
) -> None:
    rows = lessons(20)
    evaluate(make_job("a", rows), quiet)
    evaluate(make_job("b", rows[::-1], batch_size=1), quiet)
    assert [i.item_id for i in read_items(tmp_path / "a")] == [i.item_id for i in read_items(tmp_path / "b")]
    for model in ("base", "candidate"):
        assert losses(tmp_path / "a", model) == pytest.approx(losses(tmp_path / "b", model), abs=1e-3)
    assert losses(tmp_path / "a", "base") != pytest.approx(losses(tmp_path / "a", "candidate"), abs=1e-2)


def test_rows_are_chosen_by_hash_cut_and_counted(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    silent = row("f" * 32, [said("user", "Hello?")])
    job = make_job("run", [*lessons(30), silent], sequence_len=48)
    result = evaluate(job, quiet)
    assert result.rows == 30
    assert result.skipped == ("f" * 32,)
    assert result.truncated_rows > 0
    few = evaluate(make_job("few", [*lessons(30), silent], sequence_len=48, max_rows=5), quiet)
    ids = [i.item_id for i in read_items(tmp_path / "run", "base")]
    assert [i.item_id for i in read_items(tmp_path / "few", "base")] == [i for i in ids if i in ids[:5]][
        : few.rows
    ]
    assert few.benchmark_version != result.benchmark_version


def test_what_is_on_disk_is_not_scored_again(
    make_job: Make, quiet: Events, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job("run", lessons(20), batch_size=2)
    calls = []
    real = assistant_nll

    def counted(model: Any, rows: Any) -> Any:
        calls.append(len(rows))
        if len(calls) == 8:
            raise KeyboardInterrupt
        return real(model, rows)

    monkeypatch.setattr(heldout_loss, "assistant_nll", counted)
    with pytest.raises(KeyboardInterrupt):
        evaluate(job, quiet)
    partial = tmp_path / "run" / "items.partial.jsonl"
    # Seven batches of two were written; of the last, the second line is torn off
    partial.write_text(partial.read_text()[:-15])
    evaluate(job, quiet)
    assert calls[8:] == [2] * (20 - 6)
    assert not partial.exists()
    calls.clear()
    assert evaluate(job, quiet).rows == 20
    assert calls == []


@pytest.mark.slow
def test_a_killed_evaluation_goes_on(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    rows = lessons(200)
    evaluate(make_job("whole", rows, batch_size=1), quiet)
    job = make_job("killed", rows, batch_size=1)
    command = [sys.executable, "-m", "evaluation.heldout_loss", str(tmp_path / "killed.job.json")]
    environment = {**os.environ, **OFFLINE}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as child:
        for line in child.stdout or ():
            if json.loads(line).get("batch") == 150:
                child.send_signal(signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL
    assert read_result(tmp_path / "killed") is None
    evaluate(job, quiet)
    for model in ("base", "candidate"):
        assert losses(tmp_path / "killed", model) == pytest.approx(
            losses(tmp_path / "whole", model), abs=1e-4
        )


def test_another_evaluation_is_not_taken_for_this_one(make_job: Make, quiet: Events) -> None:
    evaluate(make_job("run", lessons(6)), quiet)
    with pytest.raises(ConfigError, match="another evaluation"):
        evaluate(make_job("run", lessons(7)), quiet)


def test_a_model_that_gives_no_number_is_an_error(
    make_job: Make, quiet: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heldout_loss, "assistant_nll", lambda model, rows: [(float("nan"), 3)] * len(rows))
    with pytest.raises(RunError, match="the loss under base is nan"):
        evaluate(make_job("run", lessons(3)), quiet)


def test_no_row_to_score_is_an_error(make_job: Make, quiet: Events) -> None:
    with pytest.raises(DataError, match="none of 1 rows"):
        evaluate(make_job("run", [row("f" * 32, [said("user", "Hello?")])]), quiet)


def test_faults_of_a_job_are_told_at_once(make_job: Make) -> None:
    job = make_job("run", lessons(1))
    assert isinstance(HeldoutJob.load(job), HeldoutJob)
    job["models"][1]["name"] = "base"
    with pytest.raises(ConfigError, match="share a name"):
        HeldoutJob.load(job)
    job["models"] = []
    job["batch_sise"] = 3
    with pytest.raises(ConfigError, match=r"(?s)2 to fix.*Did you mean `batch_size`"):
        HeldoutJob.load(job)
