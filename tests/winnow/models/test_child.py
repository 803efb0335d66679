import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from winnow.core.errors import RunError
from winnow.models.child import OFFLINE, run_child, write_json

ROOT = Path(__file__).parents[3]
CHILD = """
from winnow.core.errors import DataError
from winnow.models.child import run_program

def work(job, events):
    print("a library prints")
    events.send("step", step=1, message="one")
    if job["end"] == "refuse":
        raise DataError("row 7 is broken. Repair it.")
    if job["end"] == "die":
        import os
        os.kill(os.getpid(), 9)
    if job["end"] == "orphan":
        import os, time
        os.kill(os.getppid(), 9)
        time.sleep(60)
    events.send("done", value=job["end"])

run_program(work)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "some_child.py").write_text(CHILD)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    monkeypatch.delenv("DAGSTER_PIPES_CONTEXT", raising=False)
    return tmp_path / "job.json"


def test_events_come_through_and_prints_do_not(child: Path) -> None:
    write_json(child, {"end": "well"})
    events = []
    run_child("some_child", child, events.append)
    assert events == [
        {"event": "step", "step": 1, "message": "one"},
        {"event": "done", "value": "well"},
    ]


def test_a_refusal_is_the_parents_error(child: Path) -> None:
    write_json(child, {"end": "refuse"})
    with pytest.raises(RunError, match=r"^row 7 is broken\. Repair it\.$"):
        run_child("some_child", child)


def test_a_death_names_its_signal(child: Path) -> None:
    write_json(child, {"end": "die"})
    with pytest.raises(RunError, match="signal 9"):
        run_child("some_child", child)


def test_under_dagster_pipes_messages_are_log_lines_of_the_run(child: Path) -> None:
    import dagster as dg

    write_json(child, {"end": "well"})
    received = []

    @dg.asset
    def trained(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        command = [sys.executable, "-m", "some_child", str(child)]
        done = dg.PipesSubprocessClient().run(command=command, context=context, env=dict(os.environ))
        received.extend(done.get_custom_messages())
        return done.get_materialize_result()

    with dg.instance_for_test() as instance:
        result = dg.materialize([trained], instance=instance)
        logs = [entry.user_message for entry in instance.all_logs(result.run_id)]
    assert [m["event"] for m in received] == ["step", "done"]
    assert "one" in logs


def test_the_environment_keeps_every_library_off_the_network(tmp_path: Path) -> None:
    code = (
        "from winnow.models.child import prepare_process; prepare_process(1, 5)\n"
        "import os, torch, huggingface_hub.constants as c\n"
        "print(c.HF_HUB_OFFLINE, c.HF_HUB_DISABLE_TELEMETRY, torch.get_num_threads(),"
        " torch.are_deterministic_algorithms_enabled(), float(torch.rand(())))"
    )
    plain = {k: v for k, v in os.environ.items() if k not in OFFLINE}
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=plain, cwd=ROOT
        ).stdout
        for _ in range(2)
    }
    assert len(said) == 1
    assert said.pop().startswith("True True 1 True ")


def test_json_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"b": 1, "a": "é"})
    write_json(path, {"b": 2, "a": "é"})
    assert json.loads(path.read_text()) == {"a": "é", "b": 2}
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(path, float("nan"))
    assert json.loads(path.read_text()) == {"a": "é", "b": 2}


def test_a_child_ends_with_a_parent_that_was_killed(child: Path) -> None:
    write_json(child, {"end": "orphan"})
    code = f"from winnow.models.child import run_child; run_child('some_child', __import__('pathlib').Path({str(child)!r}))"
    began = time.monotonic()
    parent = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, check=False)
    assert parent.returncode == -9
    assert time.monotonic() - began < 40  # stderr is at its end when the child is
