import re
from pathlib import Path
from typing import Any

import pytest

from winnow.core.config import load_model
from winnow.core.errors import ConfigError
from winnow.models.client_config import ClientConfig
from winnow.models.prices import Price

PRICE = {"input": 1.0, "output": 2.0}


def load(**settings: Any) -> ClientConfig:
    return load_model(ClientConfig, {"model": "openai/m", "price": PRICE, **settings})


def test_a_file_fills_a_client(tmp_path: Path) -> None:
    path = tmp_path / "judge.yaml"
    path.write_text(
        "model: anthropic/claude-haiku-4-5\nbudget: {dollars: 2.5, minutes: 30}\nconcurrency: 16\nattempts: 4\n"
    )
    config = load_model(ClientConfig, path)
    assert config.spec == ("anthropic", "claude-haiku-4-5")
    assert config.address == "https://api.anthropic.com"
    assert (config.budget.dollars, config.concurrency) == (2.5, 16)
    assert config.priced() == Price(input=1.0, cached_input=0.1, output=5.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "gpt-5"}, "write anthropic/<model>, openai/<model> or local/<directory>"),
        ({"model": "antropic/claude"}, "Did you mean `anthropic`?"),
        ({"model": "openai/"}, "write anthropic/<model>"),
        ({"concurency": 4}, "Did you mean `concurrency`?"),
        ({"budget": {"dolars": 4}}, "Did you mean `dollars`?"),
        ({"concurrency": 0}, "greater than or equal to 1"),
        ({"concurrency": True}, "valid integer"),
        ({"base_url": "localhost:8000"}, "write http://host:port/path"),
        ({"base_url": "http://me:secret@host/v1"}, "no password"),
        ({"base_url": "http://host/v1?key=secret"}, "no parameters"),
        ({"timeout_seconds": 120.0, "budget": {"minutes": 1.0}}, "no call fits"),
        ({"adapter": "x"}, "belong to a local model"),
        ({"model": "local/x", "base_url": "http://host"}, "neither `base_url` nor `api_key_env`"),
        ({"api_key": "sk-secret"}, "no such key"),
    ],
)
def test_a_fault_names_its_edit(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        load(**settings)


@pytest.mark.parametrize(
    "settings", [{"model": "openai/gpt-99"}, {"model": "openai/gpt-5-mini", "base_url": "http://host/v1"}]
)
def test_a_price_that_is_not_known_is_asked_for(settings: dict[str, Any]) -> None:
    """A provider's list says nothing about another server that offers a model of the same name."""
    with pytest.raises(ConfigError, match=r"no price is known .*Set `price: \{input: …, output: …\}`"):
        load(**settings, price=None).priced()
    assert load(**settings).priced() == Price(input=1.0, output=2.0)


def test_a_local_model_is_free() -> None:
    assert load(model="local/x", price=None).priced().worst(10**6, 10, 10**6) == 0


def test_a_path_may_be_whole_or_relative() -> None:
    assert [load(model=spec).spec.name for spec in ("local/a/b", "local//a/b")] == ["a/b", "/a/b"]
