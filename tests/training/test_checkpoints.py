from pathlib import Path

import pytest

from training import checkpoints
from winnow.core.errors import ConfigError


def sealed(output: Path, step: int, job: str = "job") -> Path:
    directory = output / f"checkpoint-{step}"
    directory.mkdir(parents=True)
    (directory / "adapter_model.safetensors").write_bytes(b"weights" * step)
    (directory / "optimizer.pt").write_bytes(b"moments" * step)
    checkpoints.seal(directory, job, step, [{"step": step}], seconds=float(step))
    return directory


def test_the_newest_complete_one_is_found_by_number(tmp_path: Path) -> None:
    for step in (5, 10, 100):
        sealed(tmp_path, step)
    found = checkpoints.latest(tmp_path, "job")
    assert found is not None
    assert (found.step, found.history, found.seconds) == (100, [{"step": 100}], 100.0)


@pytest.mark.parametrize("harm", ["no manifest", "torn manifest", "missing file", "torn file"])
def test_a_half_written_one_is_ignored_and_deleted(tmp_path: Path, harm: str) -> None:
    good, bad = sealed(tmp_path, 5), sealed(tmp_path, 10)
    manifest, optimizer = bad / checkpoints.MANIFEST, bad / "optimizer.pt"
    if harm == "no manifest":
        manifest.unlink()
    elif harm == "torn manifest":
        manifest.write_bytes(manifest.read_bytes()[:40])
    elif harm == "missing file":
        optimizer.unlink()
    else:
        optimizer.write_bytes(optimizer.read_bytes()[:-1])
    found = checkpoints.latest(tmp_path, "job")
    assert found is not None
    assert found.path == good
    assert not bad.exists()


def test_none_is_no_error_and_another_runs_is_one(tmp_path: Path) -> None:
    assert checkpoints.latest(tmp_path, "job") is None
    sealed(tmp_path, 5, job="other")
    with pytest.raises(ConfigError, match="another run"):
        checkpoints.latest(tmp_path, "job")


def test_pruning_keeps_one(tmp_path: Path) -> None:
    kept = sealed(tmp_path, 5)
    sealed(tmp_path, 10)
    (tmp_path / "checkpoint-notes").mkdir()
    checkpoints.prune(tmp_path, keep=kept)
    assert {p.name for p in tmp_path.iterdir()} == {"checkpoint-5", "checkpoint-notes"}
