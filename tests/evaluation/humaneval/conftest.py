import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.humaneval.job import HumanEvalJob, HumanEvalSettings
from evaluation.model_job import ModelRef
from training.base import BaseModel, as_dict
from winnow.models.child import prepare_process
from winnow.models.local import load_causal_lm


@pytest.fixture(scope="session")
def loud_adapter(tiny_base: BaseModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random adapter so strong that the tiny base, which repeats its last token, writes other texts."""
    from peft import LoraConfig, get_peft_model

    prepare_process(threads=1, seed=3)
    model = get_peft_model(
        load_causal_lm(Path(tiny_base.path)),
        LoraConfig(
            r=4, lora_alpha=400, target_modules=["q_proj", "v_proj", "down_proj"], init_lora_weights=False
        ),
    )
    directory = tmp_path_factory.mktemp("loud")
    model.save_pretrained(directory)
    return directory


@pytest.fixture
def job_file(tmp_path: Path, tiny_base: BaseModel, loud_adapter: Path) -> Callable[..., Path]:
    """Writes a job over base and adapter into `<name>.job.json`; its output is the folder `<name>`."""

    def make(name: str, batch_size: int = 24, **settings: Any) -> Path:
        small = {"max_items": 4, "max_new_tokens": 8, "form": "completion"} | settings
        return HumanEvalJob.write(
            tmp_path / f"{name}.job.json",
            base=as_dict(tiny_base),
            models=[
                ModelRef(name="base", hash=tiny_base.weights_hash),
                ModelRef(name="candidate", hash="a1", adapter=loud_adapter),
            ],
            output=tmp_path / name,
            settings=HumanEvalSettings(**small),
            batch_size=batch_size,
            threads=1,
        )

    return make


@pytest.fixture
def make_job(job_file: Callable[..., Path]) -> Callable[..., dict[str, Any]]:
    """The same job, decoded."""

    def make(*args: Any, **more: Any) -> dict[str, Any]:
        job: dict[str, Any] = json.loads(job_file(*args, **more).read_text())
        return job

    return make
