"""What holds of a run whatever its method: it is recorded, resumed, found finished, and says nothing of its rows."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lessons import lessons, row, said
from preferences import counting, pair
from training_runs import ROOT, assert_same_run, killed_at, run_whole, times_of_files

from training import dpo, dpo_job, job, sft
from training.job import ADAPTER, RunResult
from training.verify import read_verification
from winnow.core.errors import ConfigError
from winnow.models.child import Events


def zebra_row(number: int) -> dict[str, Any]:
    return row(f"{number:032x}", [said("user", "zebra question"), said("assistant", "zebra answer")])


def zebra_pair(number: int) -> dict[str, Any]:
    return pair(f"{number:032x}", "zebra question", f"zebra {number}", f"lion {number}")


@dataclass(frozen=True)
class Method:
    """A way of training, and small jobs of it."""

    program: str
    train: Callable[[Mapping[str, Any], Events], RunResult]
    read_result: Callable[[Path], RunResult | None]
    make: Callable[..., Path]
    rows: Callable[[int], list[dict[str, Any]]]
    zebra: Callable[[int], dict[str, Any]]
    fields: Mapping[str, Any]
    another: Mapping[str, Any]

    def job(self, name: str, rows: list[dict[str, Any]], **fields: Any) -> Path:
        return self.make(name, rows, **{**self.fields, **fields})

    def run(self, job: Path, events: Events) -> RunResult:
        return self.train(json.loads(job.read_text()), events)


@pytest.fixture(params=["sft", "dpo"])
def method(request: pytest.FixtureRequest) -> Method:
    fields: dict[str, Any] = {"batch_size": 2, "gradient_accumulation": 2, "save_every": 4}
    if request.param == "dpo":
        make = request.getfixturevalue("make_dpo_job")
        other = {"beta": 0.2}
        return Method(
            "training.dpo", dpo.train, dpo_job.read_result, make, counting, zebra_pair, fields, other
        )
    # Dropout shows whether the generator goes on where it was
    lora = {"r": 4, "alpha": 8, "dropout": 0.2, "target_modules": ["q_proj", "v_proj"]}
    fields |= {"sequence_len": 64, "lora": lora}
    make = request.getfixturevalue("make_job")
    return Method(
        "training.sft", sft.train, job.read_result, make, lessons, zebra_row, fields, {"sequence_len": 65}
    )


@pytest.mark.slow
def test_a_run_killed_twice_is_the_run_that_was_not(method: Method, quiet: Events, tmp_path: Path) -> None:
    whole = method.run(method.job("whole", method.rows(20), max_steps=14), quiet)
    killed, output = method.job("killed", method.rows(20), max_steps=14), tmp_path / "killed"
    killed_at(method.program, killed, 6)
    assert method.read_result(output) is None
    half = output / "checkpoint-12"
    half.mkdir()
    (half / "adapter_model.safetensors").write_bytes(b"half")
    events = killed_at(method.program, killed, 11)
    assert next(e for e in events if e["event"] == "resumed")["step"] == 4
    assert not half.exists()
    resumed = method.run(killed, quiet)
    assert_same_run(whole, resumed)
    assert resumed.files == whole.files
    assert sorted(p.name for p in output.iterdir()) == ["adapter", "probe.json", "result.json"]


def test_every_example_is_recorded_in_order(method: Method, quiet: Events) -> None:
    rows = method.rows(5)
    result = method.run(method.job("run", rows, max_steps=3), quiet)
    assert [r.position for r in result.rows] == list(range(12))
    assert [r.step for r in result.rows] == [1] * 4 + [2] * 4 + [3] * 4
    assert [i for s in result.steps for i in s.row_ids] == [r.row_id for r in result.rows]
    hashes = {r["row_id"]: r["content_hash"] for r in rows}
    assert all(hashes[r.row_id] == r.content_hash for r in result.rows)
    assert 0 < result.trained_tokens < result.tokens == sum(s.tokens for s in result.steps)


def test_a_finished_run_does_nothing_and_another_is_refused(
    method: Method, quiet: Events, tmp_path: Path
) -> None:
    rows = method.rows(8)
    same = method.job("run", rows, max_steps=2)
    result = method.run(same, quiet)
    before = times_of_files(tmp_path / "run")
    assert method.run(same, quiet) == result
    assert method.run(method.job("run", rows, max_steps=2, save_every=1), quiet) == result
    assert times_of_files(tmp_path / "run") == before
    for changed in ({"max_steps": 3}, method.another):
        with pytest.raises(ConfigError, match="another run"):
            method.run(method.job("run", rows, **{"max_steps": 2, **changed}), quiet)
    with pytest.raises(ConfigError, match="another run"):
        method.run(method.job("run", rows[:7], max_steps=2), quiet)


def test_equal_runs_write_equal_adapters_that_name_no_machine_and_hold_no_text(
    method: Method, quiet: Events, tmp_path: Path
) -> None:
    rows = [method.zebra(number) for number in range(4)]
    one, two = (method.run(method.job(name, rows, max_steps=2), quiet) for name in "ab")
    assert one.files == two.files
    assert_same_run(one, two)
    config = (tmp_path / "a" / ADAPTER / "adapter_config.json").read_text()
    text = (tmp_path / "a" / "result.json").read_text() + config
    assert "zebra" not in text
    assert str(tmp_path) not in text
    assert str(Path.home()) not in text
    assert json.loads(config)["base_model_name_or_path"] == "tiny"


@pytest.mark.slow
def test_the_program_trains_verifies_and_speaks_json_only(method: Method, tmp_path: Path) -> None:
    """Without Dagster's variables, and with a dagster_pipes that cannot be imported."""
    blocked = tmp_path / "blocked"
    (blocked / "dagster_pipes").mkdir(parents=True)
    (blocked / "dagster_pipes" / "__init__.py").write_text("raise ImportError('blocked')")
    path = os.pathsep.join([str(blocked), str(ROOT)])
    said = run_whole(method.program, method.job("run", method.rows(8), max_steps=2), PYTHONPATH=path)
    steps = [e for e in said if e["event"] == "step"]
    assert [e["step"] for e in steps] == [1, 2]
    assert all(e["loss"] > 0 and e["tokens_per_second"] > 0 and e["eta_seconds"] >= 0 for e in steps)
    assert [e["event"] for e in said if e["event"] != "step"] == ["rows", "complete", "verified"]
    found = read_verification(tmp_path / "run")
    assert found is not None
    assert found.passed
