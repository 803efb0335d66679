"""One attempt at a hosted model through its provider's SDK, whose own retries and redirects are off."""

import asyncio
import json
import logging
from importlib.util import find_spec
from typing import Any, Protocol

from winnow.core.errors import ConfigError
from winnow.models import anthropic_protocol, openai_protocol
from winnow.models.answer import Answer
from winnow.models.client_config import ClientConfig
from winnow.models.faults import Fault, lost, malformed, of_status, slow, unreachable
from winnow.models.request import ModelRequest

_LOGGERS = ("anthropic", "openai", "httpx2", "httpcore2")
_REPLACED = "[api key]"
_ESCAPED = "\\ud"
"""How JSON starts the escape of a surrogate; a lone one fits into no UTF-8 file."""


class HostedModel(Protocol):
    """A model behind an address. Use it within one event loop, then close it."""

    def unsupported(self, request: ModelRequest) -> str | None:
        """What of the request the protocol cannot say, with the remedy; else None."""

    async def ask(self, request: ModelRequest, idempotency_key: str) -> Answer | Fault:
        """One attempt. Raises nothing that the server or the network can cause."""

    async def close(self) -> None:
        """Closes the connections."""


def require_hosted(config: ClientConfig) -> None:
    """Raises ConfigError for a key that is not set and a package that is missing; loads neither."""
    config.key()
    if find_spec(config.spec.provider) is None:
        raise ConfigError(
            f"{config.model}: the package {config.spec.provider} is not installed. Run `make setup`, or "
            f"pip install {config.spec.provider}."
        )


def open_hosted(config: ClientConfig) -> HostedModel:
    """The model that a configuration names, its key taken from the environment."""
    key = config.key()
    kind = _Anthropic if config.spec.provider == "anthropic" else _OpenAI
    return kind(config, key.get_secret_value() if key else None)


class _Hosted:
    """What both protocols share. The key lives in the SDK's client and here, and in nothing that is printed."""

    def __init__(self, config: ClientConfig, key: str | None) -> None:
        self._config, self._key = config, key

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._config.model})"

    def _options(self, sdk: Any) -> dict[str, Any]:
        _silence()
        client = sdk.DefaultAsyncHttpxClient(follow_redirects=False)
        return {
            "api_key": self._key or "none",
            "base_url": self._config.address,
            "max_retries": 0,
            "timeout": self._config.timeout_seconds,
            "http_client": client,
        }

    async def _attempt(
        self, sdk: Any, create: Any, parse: Any, idempotency_key: str, **body: Any
    ) -> Answer | Fault:
        """Sends, and tells what came back. The SDK's exceptions hold the key: none leaves this function."""
        limit = self._config.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                raw = await create(**body, extra_headers={"Idempotency-Key": idempotency_key})
        except (TimeoutError, sdk.APITimeoutError):
            return slow(limit)
        except sdk.APIConnectionError as error:
            return _broken(error)
        except sdk.APIStatusError as error:
            answer = error.response
            return of_status(answer.status_code, answer.headers, answer.content, self._key)
        except (TypeError, ValueError, sdk.APIError) as error:
            return Fault(
                "request", f"the SDK refuses the request ({type(error).__name__}); correct its messages"
            )
        return self._read(raw.http_response.content, parse)

    def _read(self, content: bytes, parse: Any) -> Answer | Fault:
        text = content.decode("utf-8", "replace")
        if self._key:
            text = text.replace(self._key, _REPLACED)  # a server that echoes its headers
        try:
            raw = _clean(json.loads(text)) if _ESCAPED in text.lower() else json.loads(text)
        except (ValueError, RecursionError):
            return malformed("no JSON")
        try:
            answer: Answer = parse(raw)
        except ValueError as error:
            return malformed(str(error))
        except (AttributeError, KeyError, TypeError) as error:
            return malformed(type(error).__name__)
        return answer


class _OpenAI(_Hosted):
    def __init__(self, config: ClientConfig, key: str | None) -> None:
        import openai

        super().__init__(config, key)
        self._sdk = openai
        self._client = openai.AsyncOpenAI(**self._options(openai))
        named = "max_tokens" if config.base_url else "max_completion_tokens"
        self._limit_field = config.max_tokens_field or named

    def unsupported(self, request: ModelRequest) -> str | None:
        return openai_protocol.unsupported(request)

    async def ask(self, request: ModelRequest, idempotency_key: str) -> Answer | Fault:
        body = openai_protocol.body(request, self._config.spec.name, self._limit_field)
        create = self._client.chat.completions.with_raw_response.create
        return await self._attempt(self._sdk, create, openai_protocol.parse, idempotency_key, **body)

    async def close(self) -> None:
        await self._client.close()


class _Anthropic(_Hosted):
    def __init__(self, config: ClientConfig, key: str | None) -> None:
        import anthropic

        super().__init__(config, key)
        self._sdk = anthropic
        # spans could carry prompts out of the process
        self._client = anthropic.AsyncAnthropic(**self._options(anthropic), open_telemetry=False)

    def unsupported(self, request: ModelRequest) -> str | None:
        return anthropic_protocol.unsupported(request)

    async def ask(self, request: ModelRequest, idempotency_key: str) -> Answer | Fault:
        body = anthropic_protocol.body(request, self._config.spec.name)
        create = self._client.messages.with_raw_response.create
        return await self._attempt(
            self._sdk,
            create,
            anthropic_protocol.parse,
            idempotency_key,
            timeout=self._config.timeout_seconds,
            **body,
        )

    async def close(self) -> None:
        await self._client.close()


def _clean(raw: Any) -> Any:
    if isinstance(raw, str):
        return raw.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(raw, dict):
        return {_clean(name): _clean(value) for name, value in raw.items()}
    return [_clean(value) for value in raw] if isinstance(raw, list) else raw


def _broken(error: BaseException) -> Fault:
    import httpx2

    cause = error.__cause__
    what = type(cause).__name__ if cause is not None else "connection error"
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return unreachable(f"no connection to the server ({what})")
    return lost(f"the connection broke ({what})")


def _silence() -> None:
    """At their debug level the SDKs and their HTTP library log whole requests, prompts included."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))
