import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lessons import lessons
from safetensors.numpy import load_file, save_file

from training.adapter import adapter_files
from training.job import ADAPTER, read_result, write_result
from training.sft import train
from training.verify import read_verification, verify
from winnow.core.errors import ConfigError
from winnow.models.child import Events

Tensors = dict[str, Any]


@pytest.fixture
def trained(make_job: Callable[..., Path], quiet: Events, tmp_path: Path) -> tuple[Path, Path]:
    job = json.loads(make_job("run", lessons(8), max_steps=4).read_text())
    train(job, quiet)
    return tmp_path / "run", Path(job["base"]["path"])


def altered(output: Path, change: Callable[[Tensors], Tensors]) -> None:
    """Changes the tensors and records the new files as if they had always been so."""
    weights = output / ADAPTER / "adapter_model.safetensors"
    save_file(change(load_file(weights)), weights, metadata={"format": "pt"})
    result = read_result(output)
    assert result is not None
    write_result(output, replace(result, files=adapter_files(output, ADAPTER)))


def first(tensors: Tensors, part: str) -> str:
    return next(name for name in sorted(tensors) if part in name)


def with_nan(tensors: Tensors) -> Tensors:
    tensors[first(tensors, "lora_A")].flat[3] = np.nan
    return tensors


def emptied(tensors: Tensors) -> Tensors:
    tensors[first(tensors, "lora_A")] = np.zeros((0, 64), np.float32)
    return tensors


def unlearned(tensors: Tensors) -> Tensors:
    return {name: np.zeros_like(v) if "lora_B" in name else v for name, v in tensors.items()}


def nudged(tensors: Tensors) -> Tensors:
    return {name: v * 1.5 if "lora_B" in name else v for name, v in tensors.items()}


def test_what_was_trained_is_verified(trained: tuple[Path, Path]) -> None:
    output, base = trained
    found = verify(output, base)
    assert found.passed
    assert found.tensors == 28
    assert found.reproduced_loss == pytest.approx(found.recorded_loss, abs=1e-6)
    assert found.recorded_loss < found.base_loss
    assert read_verification(output) == found


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (with_nan, "no numbers"),
        (emptied, "empty"),
        (unlearned, "nothing was learned"),
        (nudged, "was recorded"),
    ],
)
def test_a_bad_adapter_is_found_though_its_hash_is_right(
    trained: tuple[Path, Path], change: Callable[[Tensors], Tensors], says: str
) -> None:
    output, base = trained
    altered(output, change)
    found = verify(output, base)
    assert not found.passed
    assert says in "; ".join(found.faults)
    assert read_verification(output) == found


def test_a_changed_or_missing_file_is_found(trained: tuple[Path, Path]) -> None:
    output, base = trained
    config = output / ADAPTER / "adapter_config.json"
    config.write_text(config.read_text().replace('"r": 8', '"r": 4'))
    assert verify(output, base).faults == ("adapter/adapter_config.json: not the bytes that were recorded",)
    config.unlink()
    assert verify(output, base).faults == ("adapter/adapter_config.json: missing",)


def test_no_result_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no result\.json"):
        verify(tmp_path, tmp_path)
