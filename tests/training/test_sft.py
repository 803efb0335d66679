import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lessons import lessons, row, said

from training.job import SftJob, SftResult, read_result
from training.sft import train
from training.verify import read_verification
from winnow.core.errors import ConfigError
from winnow.models.child import OFFLINE, Events

ROOT = Path(__file__).parents[2]
TOLERANCE = 1e-4
# Dropout shows whether the generator goes on where it was
FIELDS: dict[str, Any] = {
    "max_steps": 14,
    "batch_size": 2,
    "gradient_accumulation": 2,
    "save_every": 4,
    "sequence_len": 64,
    "lora": {"r": 4, "alpha": 8, "dropout": 0.2, "target_modules": ["q_proj", "v_proj"]},
}
Make = Callable[..., Path]


def in_process(job: Path, events: Events) -> SftResult:
    return train(json.loads(job.read_text()), events)


def killed_at(job: Path, step: int) -> list[dict[str, Any]]:
    """Runs the child until it has said `step`, kills it there, and returns what it said."""
    said_so_far = []
    command = [sys.executable, "-m", "training.sft", str(job)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **OFFLINE}
    ) as child:
        for line in child.stdout or ():
            said_so_far.append(json.loads(line))
            if said_so_far[-1].get("step") == step:
                child.send_signal(signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL
    return said_so_far


def assert_same_run(one: SftResult, two: SftResult) -> None:
    assert one.rows == two.rows
    assert [s.row_ids for s in one.steps] == [s.row_ids for s in two.steps]
    assert [s.learning_rate for s in one.steps] == pytest.approx([s.learning_rate for s in two.steps])
    assert [s.loss for s in one.steps] == pytest.approx([s.loss for s in two.steps], abs=TOLERANCE)
    assert one.probe.loss == pytest.approx(two.probe.loss, abs=TOLERANCE)
    assert (one.job, one.tokens, one.trained_tokens) == (two.job, two.tokens, two.trained_tokens)


@pytest.mark.slow
def test_a_run_killed_twice_is_the_run_that_was_not(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    rows = lessons(20)
    whole = in_process(make_job("whole", rows, **FIELDS), quiet)
    job = make_job("killed", rows, **FIELDS)
    output = tmp_path / "killed"
    killed_at(job, 6)
    assert read_result(output) is None
    half = output / "checkpoint-12"
    half.mkdir()
    (half / "adapter_model.safetensors").write_bytes(b"half")
    events = killed_at(job, 11)
    assert next(e for e in events if e["event"] == "resumed")["step"] == 4
    assert not half.exists()
    resumed = in_process(job, quiet)
    assert_same_run(whole, resumed)
    assert sorted(p.name for p in output.iterdir()) == ["adapter", "probe.json", "result.json"]


def test_every_example_is_recorded_in_order(make_job: Make, quiet: Events) -> None:
    rows = lessons(5)
    result = in_process(make_job("run", rows, **{**FIELDS, "max_steps": 3}), quiet)
    assert [r.position for r in result.rows] == list(range(12))
    assert [r.step for r in result.rows] == [1] * 4 + [2] * 4 + [3] * 4
    assert [i for s in result.steps for i in s.row_ids] == [r.row_id for r in result.rows]
    hashes = {r["row_id"]: r["content_hash"] for r in rows}
    assert all(hashes[r.row_id] == r.content_hash for r in result.rows)
    assert result.tokens == sum(s.tokens for s in result.steps)
    assert 0 < result.trained_tokens < result.tokens


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


def test_a_finished_run_does_nothing_and_another_is_refused(
    make_job: Make, quiet: Events, tmp_path: Path
) -> None:
    job = make_job("run", lessons(8), max_steps=2)
    result = in_process(job, quiet)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("*")}
    assert in_process(job, quiet) == result
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("*")} == before
    with pytest.raises(ConfigError, match="another run"):
        in_process(make_job("run", lessons(8), max_steps=3), quiet)
    with pytest.raises(ConfigError, match="another run"):
        in_process(make_job("run", lessons(7), max_steps=2), quiet)


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


def test_files_name_no_machine_and_hold_no_text(make_job: Make, quiet: Events, tmp_path: Path) -> None:
    rows = [
        row(f"{n:032x}", [said("user", "zebra question"), said("assistant", "zebra answer")])
        for n in range(4)
    ]
    in_process(make_job("run", rows, max_steps=2), quiet)
    output = tmp_path / "run"
    text = (output / "result.json").read_text() + (output / "adapter" / "adapter_config.json").read_text()
    assert "zebra" not in text
    assert str(tmp_path) not in text
    assert str(Path.home()) not in text
    assert (
        json.loads((output / "adapter" / "adapter_config.json").read_text())["base_model_name_or_path"]
        == "tiny"
    )


def test_equal_runs_write_equal_adapters(make_job: Make, quiet: Events) -> None:
    one = in_process(make_job("a", lessons(8), max_steps=3), quiet)
    two = in_process(make_job("b", lessons(8), max_steps=3), quiet)
    assert one.files == two.files
    assert_same_run(one, two)


@pytest.mark.slow
def test_the_program_trains_verifies_and_speaks_json_only(make_job: Make, tmp_path: Path) -> None:
    """Without Dagster's variables, and with a dagster_pipes that cannot be imported."""
    job = make_job("run", lessons(8), max_steps=2)
    blocked = tmp_path / "blocked"
    (blocked / "dagster_pipes").mkdir(parents=True)
    (blocked / "dagster_pipes" / "__init__.py").write_text("raise ImportError('blocked')")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DAGSTER_PIPES")}
    environment["PYTHONPATH"] = os.pathsep.join([str(blocked), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "training.sft", str(job)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=200,
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    steps = [e for e in events if e["event"] == "step"]
    assert [e["step"] for e in steps] == [1, 2]
    assert all(e["loss"] > 0 and e["tokens_per_second"] > 0 and e["eta_seconds"] >= 0 for e in steps)
    assert [e["event"] for e in events if e["event"] != "step"] == ["rows", "complete", "verified"]
    found = read_verification(tmp_path / "run")
    assert found is not None
    assert found.passed


def test_a_job_is_read_with_all_its_faults(loaded: Callable[..., SftJob], quiet: Events) -> None:
    job = loaded("run", lessons(4)).model_dump(mode="json")
    del job["base"]
    job["recipe"]["max_steps"] = 0
    with pytest.raises(ConfigError, match=r"(?s)2 to fix.*max_steps.*base"):
        train(job, quiet)
