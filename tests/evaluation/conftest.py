import io
from pathlib import Path

import pytest

from training.base import BaseModel, resolve_base
from winnow.models.child import Events


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> BaseModel:
    return resolve_base("tiny", tmp_path_factory.mktemp("models"))


@pytest.fixture
def quiet() -> Events:
    return Events(io.StringIO())


@pytest.fixture(scope="session")
def adapter(tiny_base: BaseModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter with random weights on the tiny base: it need not be good, only different."""
    import torch
    from peft import LoraConfig, get_peft_model

    from winnow.models.local import load_causal_lm

    torch.manual_seed(3)
    model = get_peft_model(
        load_causal_lm(Path(tiny_base.path)),
        LoraConfig(r=4, target_modules=["q_proj", "down_proj"], init_lora_weights=False),
    )
    directory = tmp_path_factory.mktemp("adapter")
    model.save_pretrained(directory)
    return directory
