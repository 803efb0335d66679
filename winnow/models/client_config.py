"""How models are called: which one, where, how often again, and what it may cost."""

import os
from collections.abc import Mapping
from typing import Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from winnow.core.config import ConfigModel
from winnow.core.errors import ConfigError, near_miss
from winnow.models.prices import Price, listed_price

Provider = Literal["anthropic", "openai", "local"]
ADDRESSES = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_PROVIDERS = (*ADDRESSES, "local")
_FREE = Price(input=0.0, output=0.0, cached_input=0.0)


class ModelSpec(NamedTuple):
    """`anthropic/<model>`, `openai/<model>` or `local/<directory>`."""

    provider: str
    name: str


class BudgetConfig(ConfigModel):
    """What one client may spend. A call starts only if the most that it can cost and take still fits."""

    dollars: float = Field(default=1.0, ge=0)
    minutes: float = Field(default=60.0, gt=0)


class ClientConfig(ConfigModel):
    """Settings of a ModelClient. The key itself is never one of them: only the name of its variable is."""

    model: str
    base_url: str | None = None
    """The server's address where it is not the provider's own, such as `http://127.0.0.1:8000/v1`."""
    api_key_env: str | None = None
    """Variable that holds the key. With a `base_url` no key is sent unless this names one."""
    price: Price | None = None
    budget: BudgetConfig = BudgetConfig()
    concurrency: int = Field(default=8, ge=1, le=512)
    timeout_seconds: float = Field(default=120.0, gt=0)
    """For one attempt, from connecting to the last byte."""
    attempts: int = Field(default=6, ge=1, le=50)
    backoff_seconds: float = Field(default=1.0, ge=0)
    """Before the n-th retry a random time up to backoff_seconds x 2^(n-1) goes by, at least what the server asks."""
    longest_wait_seconds: float = Field(default=60.0, gt=0)
    """A server that asks for a longer wait than this is given up."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    """What an OpenAI-compatible server calls the limit. By default the first with a `base_url`, else the second."""
    adapter: str | None = None
    """Directory of a LoRA adapter on a local model."""
    template: str | None = None
    """Chat template of a local model; by default chat_template.jinja in its directory."""
    batch_size: int = Field(default=8, ge=1)
    """Requests that a local model answers at once."""

    @field_validator("model")
    @classmethod
    def _names_a_provider(cls, value: str) -> str:
        provider, _, name = value.partition("/")
        if provider not in _PROVIDERS or not name:
            hint = near_miss(provider, _PROVIDERS)
            raise ValueError(f"write anthropic/<model>, openai/<model> or local/<directory>.{hint}")
        return value

    @field_validator("base_url")
    @classmethod
    def _is_plain(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("write http://host:port/path or https://…")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "an address holds no password and no parameters; name the key's variable instead"
            )
        return value.rstrip("/")

    @model_validator(mode="after")
    def _belongs_together(self) -> Self:
        local = self.spec.provider == "local"
        if local and (self.base_url or self.api_key_env):
            raise ValueError("a local model has neither `base_url` nor `api_key_env`; remove them")
        if not local and (self.adapter or self.template):
            raise ValueError(
                "`adapter` and `template` belong to a local model; remove them, or write local/…"
            )
        if self.timeout_seconds > self.budget.minutes * 60:
            raise ValueError(
                f"no call fits: `timeout_seconds` is {self.timeout_seconds:g}, budget.minutes is "
                f"{self.budget.minutes:g}. Lower the first, or raise the second"
            )
        return self

    @property
    def spec(self) -> ModelSpec:
        provider, _, name = self.model.partition("/")
        return ModelSpec(provider, name)

    @property
    def address(self) -> str:
        """Where calls go; empty for a local model. The SDKs' own variables never move it."""
        return self.base_url or ADDRESSES.get(self.spec.provider, "")

    def priced(self) -> Price:
        """The price of a call. Raises ConfigError where neither the list nor the configuration has one."""
        if self.price is not None:
            return self.price
        if self.spec.provider == "local":
            return _FREE
        listed = None if self.base_url else listed_price(*self.spec)
        if listed is None:
            where = f"at {self.base_url}" if self.base_url else "in winnow/models/prices.yaml"
            raise ConfigError(
                f"{self.model}: no price is known {where}, so no budget would hold. Set `price: {{input: …, "
                "output: …}` in dollars per million tokens (zeros for a server of your own)."
            )
        return listed

    def key(self, env: Mapping[str, str] | None = None) -> SecretStr | None:
        """The key out of the environment; None where none is sent. Raises ConfigError when it is not set."""
        env = os.environ if env is None else env
        name = self.api_key_env or (None if self.base_url else KEYS.get(self.spec.provider))
        if name is None:
            return None
        value = env.get(name, "").strip()
        if not value:
            raise ConfigError(f"{self.model}: {name} is not set. Put {name}=… into .env or the environment.")
        return SecretStr(value)
